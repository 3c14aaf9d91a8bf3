import type { AccountState } from '../../domain/account-state.ts';
import { unknownCode } from '../../domain/shared-codes.ts';
import type { SharedByFailures } from '../../domain/shared-by-failures.ts';
import type { StepName } from '../../domain/steps.ts';
import { CommonColumns, type FaultyColumn } from './common-columns.ts';
import type { AccountEntry, Journal, RecordedProblem, RunEntry } from '../../journal/journal.ts';

/** Rejected or failed accounts that have one code; they may have others too. */
export interface FailureGroup {
  readonly state: AccountState;
  readonly code: string;
  readonly accounts: number;
  /** The step at which all of them ended so; absent if they differ, or none was begun. */
  readonly step?: StepName;
  /** Whether a check refused all of them before anything was sent. */
  readonly isUnsent?: boolean;
  /** The column that all of them name; absent if there is none. */
  readonly column?: FaultyColumn;
  /** What else they share, as the newest run found that compared them. */
  readonly shared?: SharedByFailures & { readonly run: number };
}

/** The rejected accounts with a code that a code table does not have. */
export function unknownCodesIn(groups: readonly Pick<FailureGroup, 'state' | 'code' | 'accounts'>[]): number {
  return groups.find(({ state, code }) => state === 'rejected' && code === unknownCode)?.accounts ?? 0;
}

/** Groups that are kept apart; a platform that answers with new codes every time must not fill the memory. */
const mostGroups = 1_000;
/** Accounts whose problems are read; further ones count under their first code. */
const mostRead = 20_000;

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
  let read = 0;
  for (const { platform, supplier } of suppliers)
    for await (const entry of journal.accounts(platform, supplier, told)) {
      if (entry.isAbsent === true && entry.krakenAccountNumber === undefined) continue;
      read += 1;
      const problems = read > mostRead ? undefined : await errorsOf(entry, journal);
      // Every code of an account has to be corrected.
      for (const code of codesOf(entry, problems ?? [])) {
        const name = `${entry.state} ${code}`;
        const group = groups.get(name) ?? new Group(entry.state, code);
        if (!groups.has(name) && groups.size === mostGroups) continue;
        groups.set(name, group);
        group.add(entry, problems);
      }
    }
  return [...groups.values()]
    .map((group) => group.result(runs))
    .sort((one, other) => other.accounts - one.accounts);
}

async function errorsOf(
  { id, hasProblems }: AccountEntry,
  journal: Pick<Journal, 'problems'>,
): Promise<readonly RecordedProblem[]> {
  const errors: RecordedProblem[] = [];
  if (hasProblems === true)
    for await (const problem of journal.problems(id)) if (problem.isWarning !== true) errors.push(problem);
  return errors;
}

function codesOf({ code }: AccountEntry, problems: readonly RecordedProblem[]): ReadonlySet<string> {
  const codes = new Set([code, ...problems.map((problem) => problem.code)]);
  if (codes.size > 1) codes.delete('');
  return codes;
}

class Group {
  readonly #state: AccountState;
  readonly #code: string;
  #accounts = 0;
  #isUnsent = true;
  /** What all accounts so far have. */
  #steps: ReadonlySet<StepName> | undefined;
  readonly #columns = new CommonColumns();

  constructor(state: AccountState, code: string) {
    this.#state = state;
    this.#code = code;
  }

  /** `problems`: all errors of the account; undefined: they were not read. */
  add({ code, parts }: AccountEntry, problems: readonly RecordedProblem[] | undefined): void {
    this.#accounts += 1;
    if (this.#state !== 'rejected' || parts.length > 0 || problems === undefined) this.#isUnsent = false;
    if (problems === undefined) return;
    const own = problems.filter((problem) => problem.code === this.#code);
    const sent =
      code === this.#code ? parts.filter(({ state }) => state === 'refused' || state === 'failed') : [];
    const steps = [...sent, ...own].flatMap(({ step }) => step ?? []);
    this.#steps = common(this.#steps, new Set(steps));
    this.#columns.see(own);
  }

  result(runs: readonly RunEntry[]): FailureGroup {
    const [step, ...otherSteps] = this.#steps ?? [];
    const { only: column } = this.#columns;
    const shared = this.#sharedIn(runs);
    return {
      ...{ state: this.#state, code: this.#code, accounts: this.#accounts },
      ...(step === undefined || otherSteps.length > 0 ? {} : { step }),
      ...(this.#isUnsent ? { isUnsent: true as const } : {}),
      ...(column === undefined ? {} : { column }),
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
