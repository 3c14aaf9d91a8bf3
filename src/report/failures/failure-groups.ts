import type { AccountState } from '../../domain/account-state.ts';
import type { SharedByFailures } from '../../domain/shared-by-failures.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal, RecordedProblem, RunEntry } from '../../journal/journal.ts';

/** A column of the export. */
export interface FaultyColumn {
  readonly file: string;
  readonly column: string;
}

/** Rejected or failed accounts of one code. */
export interface FailureGroup {
  readonly state: AccountState;
  readonly code: string;
  readonly accounts: number;
  /** The step at which all of them ended so; absent if they differ, or none was begun. */
  readonly step?: StepName;
  /** The column that all of them name; absent if there is none. */
  readonly column?: FaultyColumn;
  /** What else they share, as the newest run found that compared them. */
  readonly shared?: SharedByFailures & { readonly run: number };
}

/** Groups that are kept apart; a platform that answers with new codes every time must not fill the memory. */
const mostGroups = 1_000;
/** Accounts of a group whose problems are read. */
const mostRead = 1_000;

const told = ['rejected', 'failed'] as const satisfies readonly AccountState[];

/**
 * Groups the rejected and failed accounts of suppliers by what they share, the largest group first. `runs`: newest first, with
 * what each found.
 */
export async function failureGroups(
  journal: Pick<Journal, 'accounts' | 'problems'>,
  suppliers: readonly { readonly platform: string; readonly supplier: string }[],
  runs: readonly RunEntry[],
): Promise<readonly FailureGroup[]> {
  const groups = new Map<string, Group>();
  for (const { platform, supplier } of suppliers)
    for await (const entry of journal.accounts(platform, supplier, told)) {
      if (entry.isAbsent === true && entry.krakenAccountNumber === undefined) continue;
      const { state, code } = entry;
      const name = `${state} ${code}`;
      let group = groups.get(name);
      if (group === undefined) {
        if (groups.size === mostGroups) continue;
        groups.set(name, (group = new Group(state, code)));
      }
      await group.add(entry, journal);
    }
  return [...groups.values()]
    .map((group) => group.result(runs))
    .sort((one, other) => other.accounts - one.accounts);
}

class Group {
  readonly #state: AccountState;
  readonly #code: string;
  #accounts = 0;
  /** What all accounts so far have. */
  #steps: ReadonlySet<StepName> | undefined;
  #columns: ReadonlyMap<string, FaultyColumn> | undefined;

  constructor(state: AccountState, code: string) {
    this.#state = state;
    this.#code = code;
  }

  async add(entry: AccountEntry, journal: Pick<Journal, 'problems'>): Promise<void> {
    this.#accounts += 1;
    if (this.#accounts > mostRead) return;
    const problems: RecordedProblem[] = [];
    if (entry.hasProblems === true)
      for await (const problem of journal.problems(entry.id))
        if (problem.isWarning !== true && problem.code === this.#code) problems.push(problem);
    const parts = entry.parts.filter(({ state }) => state === 'refused' || state === 'failed');
    const steps = [...parts, ...problems].flatMap(({ step }) => step ?? []);
    this.#steps = common(this.#steps, new Set(steps));
    const columns = problems.flatMap(({ cell }) =>
      cell === undefined || cell.column === ''
        ? []
        : [[`${cell.file} ${cell.column}`, { file: cell.file, column: cell.column }] as const],
    );
    const own = new Map<string, FaultyColumn>(columns);
    this.#columns =
      this.#columns === undefined ? own : new Map([...this.#columns].filter(([name]) => own.has(name)));
  }

  result(runs: readonly RunEntry[]): FailureGroup {
    const [step, ...otherSteps] = this.#steps ?? [];
    const [column, ...otherColumns] = this.#columns?.values() ?? [];
    const shared = this.#sharedIn(runs);
    return {
      ...{ state: this.#state, code: this.#code, accounts: this.#accounts },
      ...(step === undefined || otherSteps.length > 0 ? {} : { step }),
      ...(column === undefined || otherColumns.length > 0 ? {} : { column }),
      ...(shared === undefined ? {} : { shared }),
    };
  }

  #sharedIn(runs: readonly RunEntry[]): FailureGroup['shared'] {
    for (const { id, end } of runs) {
      const found = end?.shared?.find(({ state, code }) => state === this.#state && code === this.#code);
      if (found !== undefined) return { ...found, run: id };
    }
    return undefined;
  }
}

function common<Item>(so: ReadonlySet<Item> | undefined, own: ReadonlySet<Item>): ReadonlySet<Item> {
  return so === undefined ? own : new Set([...so].filter((item) => own.has(item)));
}
