import { changedAfterImport } from '../domain/shared-codes.ts';
import { plannedActions, type AccountState, type PlannedAction } from '../domain/account-state.ts';
import { stepNames, type StepName } from '../domain/steps.ts';
import { counted, formatCount } from './format.ts';
import { ignoredRowsText } from './partly-read.ts';
import { faultsOfNoAccount } from './faults-of-no-account.ts';
import { paragraph } from './paragraph.ts';
import { doubtText } from './status-table.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

/** What a run would do with one account. */
export interface PlannedAccount {
  readonly key: { readonly supplier: string; readonly account: string };
  readonly due: PlannedAction;
  /** The steps with requests to send. */
  readonly steps: readonly StepName[];
  readonly state: AccountState;
  /** Why it is blocked: a machine code; '' otherwise. */
  readonly code: string;
  /** Steps that it has data for, and that the tenancy's contract does not have. */
  readonly notOffered: readonly StepName[];
  /** Whether more may have been sent of it than a restored journal knows. */
  readonly isInDoubt: boolean;
}

/** Counts of planned accounts; their memory does not grow with the number of accounts. */
export class PlanTally {
  readonly accounts: Record<PlannedAction, number> = {
    new: 0,
    changed: 0,
    unfinished: 0,
    done: 0,
    blocked: 0,
  };
  /** Accounts with requests to send, by step. */
  readonly steps = Object.fromEntries(stepNames.map((step) => [step, 0])) as Record<StepName, number>;
  /** Accounts that have data for a step that the tenancy's contract does not have, by step. */
  readonly notOffered: ReadonlyMap<StepName, number>;
  readonly #notOffered: Map<StepName, number>;
  inDoubt = 0;
  readonly #absent = new Map<AccountState, number>();
  readonly #blocked = new Map<string, number>();

  /** `notOffered`: the steps that the tenancy's contract does not have. */
  constructor(notOffered: readonly StepName[] = []) {
    this.#notOffered = new Map(notOffered.map((step) => [step, 0]));
    this.notOffered = this.#notOffered;
  }

  add({ due, steps, code, notOffered, isInDoubt }: PlannedAccount): void {
    if (isInDoubt) this.inDoubt += 1;
    for (const step of notOffered) this.#notOffered.set(step, (this.#notOffered.get(step) ?? 0) + 1);
    this.accounts[due] += 1;
    for (const step of steps) this.steps[step] += 1;
    if (due === 'blocked') this.#blocked.set(code, (this.#blocked.get(code) ?? 0) + 1);
  }

  /** An account that runs read from the export, but that is no longer in it. */
  addAbsent({ state }: Pick<PlannedAccount, 'state'>): void {
    this.#absent.set(state, (this.#absent.get(state) ?? 0) + 1);
  }

  /** Those accounts by state. */
  get absent(): readonly (readonly [state: AccountState, accounts: number])[] {
    return [...this.#absent];
  }

  get total(): number {
    return plannedActions.reduce((sum, due) => sum + this.accounts[due], 0);
  }

  /** Blocked accounts by the reason's code, most frequent first. */
  get blocked(): readonly (readonly [code: string, accounts: number])[] {
    return [...this.#blocked].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  }
}

/** What a run would do with the items of an added step. */
export interface ItemPlan {
  readonly step: string;
  /** Not done, and sent or settled by the next run. */
  readonly due: number;
  readonly done: number;
  /** They need a ruling. */
  readonly uncertain: number;
  /** The local checks refuse them. */
  readonly refused: number;
}

/** What a run would do with all accounts that it would take. */
export interface PlanView {
  /** The platform's address, or 'embedded'. */
  readonly platformLabel: string;
  readonly supplier?: string | undefined;
  readonly tally: PlanTally;
  /** Rows that the mapping excludes on purpose. */
  readonly ignoredRows: number;
  /** Faults of the export that belong to no account. */
  readonly faults: number;
  /** The steps before the accounts of which the export has items. */
  readonly before: readonly ItemPlan[];
}

const meanings: Readonly<Record<PlannedAction, string>> = {
  new: 'never run',
  changed: 'changed in the export, the mapping or a code table since then; sent again',
  unfinished: 'work is left',
  done: 'nothing is left to send',
  blocked: 'not complete, or refused now, and nothing will be sent',
};

/** One account as one JSON line. */
export function planRecord({ key, due, steps, state, code }: PlannedAccount): object {
  const [supplier, why] = [key.supplier, code].map((text) => (text === '' ? null : text));
  return { type: 'account', supplier, account: key.account, plan: due, steps, state, code: why };
}

/** One account that is no longer in the export, as one JSON line. */
export function absentRecord({ key, state }: Pick<PlannedAccount, 'key' | 'state'>): object {
  return { type: 'absent', supplier: key.supplier, account: key.account, state };
}

/** For programs: the fields of the summary of `plan`. */
export function planSummary({
  platformLabel,
  supplier,
  tally,
  ignoredRows,
  faults,
  before,
}: PlanView): object {
  return {
    platform: platformLabel,
    supplier: supplier ?? null,
    accounts: { total: tally.total, ...tally.accounts },
    steps: tally.steps,
    notOffered: Object.fromEntries(tally.notOffered),
    blocked: Object.fromEntries(tally.blocked),
    absent: tally.absent.reduce((sum, [, count]) => sum + count, 0),
    inDoubt: tally.inDoubt,
    ignoredRows,
    faults,
    ...(before.length === 0 ? {} : { before }),
  };
}

/** For people. */
export function planText(
  page: Page,
  { platformLabel, tally, ignoredRows, faults, before }: PlanView,
): string {
  const { bold, dim } = page.paint;
  const where = platformLabel === 'embedded' ? 'the embedded platform' : platformLabel;
  const { accounts, steps, blocked, absent, total } = tally;
  const rows = (names: readonly (readonly [string, number, string])[]) =>
    names.filter(([, count]) => count > 0).map(([name, count, what]) => [name, formatCount(count), what]);
  const columns = [
    // Codes are copied.
    { title: '', whole: true },
    { title: '', align: 'right' as const },
    { title: '', wrap: true, paint: (meaning: string) => dim(meaning) },
  ];
  const section = (title: string, counts: string[][]) =>
    counts.length === 0 ? [] : ['', bold(title), table(page, columns, counts)];
  return [
    bold(paragraph(page, `A run on ${where} would take ${counted(total, 'account')}`, '')),
    table(page, columns, [
      ...rows(plannedActions.map((due) => [due, accounts[due], meanings[due]])),
      ['total', formatCount(total), ''],
    ]),
    ...section(
      'Items to send, by added step',
      before.map((plan) => [plan.step, formatCount(plan.due), beside(plan)]),
    ),
    ...section(
      'Accounts with requests to send, by step',
      rows(stepNames.map((step) => [step, steps[step], ''])),
    ),
    ...section(
      "Not offered by the tenancy's contract, by step",
      [...tally.notOffered].map(([step, count]) => [
        step,
        formatCount(count),
        count === 0 ? '' : 'accounts have data for it, which cannot be sent',
      ]),
    ),
    ...section(
      'Blocked, by reason',
      rows(blocked.map(([code, count]) => [code, count, reasons[code] ?? ''])),
    ),
    ...section(
      'No longer in this export, by state',
      rows(absent.map(([state, count]) => [state, count, 'an earlier run read them from it'])),
    ),
    '',
    ...(tally.inDoubt === 0 ? [] : [paragraph(page, doubtText(tally.inDoubt), '')]),
    ...(faults === 0
      ? []
      : [
          paragraph(
            page,
            faultsOfNoAccount(faults, '`migrate validate` of the same export names the cells'),
            '',
          ),
        ]),
    ...ignoredRowsText(ignoredRows),
    'Nothing was sent.',
  ].join('\n');
}

/** What else there is of a step's items. */
function beside({ done, uncertain, refused }: ItemPlan): string {
  const counts = [
    [done, 'done'],
    [uncertain, 'uncertain'],
    [refused, 'refused by the local checks'],
  ] as const;
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`])).join(', ');
}

const reasons: Readonly<Record<string, string>> = {
  [changedAfterImport]: 'correct it on the platform',
  already_imported: '--adopt continues with it',
  item_not_done: 'waits for an item that it names',
  steps_left_out: 'waits for steps that --steps excludes',
};
