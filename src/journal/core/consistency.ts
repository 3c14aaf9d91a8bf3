import { extraStepNames, stepNames, type StepName } from '../../domain/steps.ts';
import { numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import { accountStates, partStates, stepStateIn, steps, stepStates, type Codes } from './codes.ts';
import { ownState } from './tally.ts';

/** An error of every account that a query finds: in its own row, or in rows that belong to it. */
export interface ConsistencyRule {
  readonly code: string;
  readonly detail: string;
  /** A condition on `account`. */
  readonly broken: string;
}

const stepIn = (step: StepName) => `(account.steps >> ${3 * (steps.of[step] - 1)} & 7)`;
const stateIn = (...states: (keyof typeof accountStates.of)[]) =>
  `account.state IN (${states.map((state) => accountStates.of[state]).join()})`;
const created = `${stepIn('process')} = ${stepStates.of.done}`;
const partsThat = (condition: string) =>
  `EXISTS (SELECT 1 FROM part WHERE part.account = account.id AND ${condition})`;
const settled = `${stepStates.of.none}, ${stepStates.of.done}`;

/** What must hold of every account, in SQL that all engines understand. */
export const rules: readonly ConsistencyRule[] = [
  {
    code: 'unknown_step_state',
    detail: 'A step is in an unknown state.',
    broken: `account.steps NOT BETWEEN 0 AND ${8 ** stepNames.length - 1} OR ${stepNames
      .map((step) => `${stepIn(step)} > ${Math.max(...Object.values(stepStates.of))}`)
      .join(' OR ')}`,
  },
  {
    code: 'number_without_account',
    detail: 'It has a new number and was not created, or the reverse.',
    // Which account has the number may be what is uncertain.
    broken: `account.kraken_account_number IS NULL AND ${created}
      OR account.kraken_account_number IS NOT NULL AND NOT ${created}
        AND ${stepIn('process')} <> ${stepStates.of.uncertain}`,
  },
  {
    code: numberOfAnotherAccount,
    detail: 'It has the platform number of another account.',
    broken: `account.kraken_account_number IN (
        SELECT kraken_account_number FROM account WHERE kraken_account_number IS NOT NULL
        GROUP BY kraken_account_number HAVING count(*) > 1)
      AND EXISTS (SELECT 1 FROM account AS other JOIN supplier AS others ON others.id = other.supplier
        WHERE other.kraken_account_number = account.kraken_account_number AND other.id <> account.id
          AND others.platform = supplier.platform)`,
  },
  {
    code: 'state_against_process',
    detail: 'Its state says that it exists and its process step does not, or the reverse.',
    broken: `${stateIn('imported', 'completed')} AND NOT ${created} OR ${stateIn('pending', 'staged', 'scheduled', 'skipped')} AND ${created}`,
  },
  {
    code: 'completed_with_work_left',
    detail: 'It counts as completed, and a step of it is not done.',
    broken: `${stateIn('completed')} AND (${extraStepNames
      .map((step) => `${stepIn(step)} NOT IN (${settled})`)
      .join(' OR ')})`,
  },
  {
    code: 'created_without_request',
    detail: 'It counts as created, and no process request of it is done.',
    broken: `${created} AND NOT ${partsThat(`step = ${steps.of.process} AND state = ${partStates.of.done}`)}`,
  },
  {
    code: 'done_with_unknown_request',
    detail: 'A step counts as done, and the effect of a request of it is not known.',
    broken:
      partsThat(`step >= ${steps.of.process} AND state IN (${partStates.of.sent}, ${partStates.of.uncertain})
      AND (account.steps >> (3 * (step - 1)) & 7) = ${stepStates.of.done}`),
  },
  {
    code: 'request_of_no_run',
    detail: 'A request of it belongs to a run that the journal does not have.',
    broken: partsThat('NOT EXISTS (SELECT 1 FROM run WHERE run.id = part.run)'),
  },
  {
    code: 'attempt_without_request',
    detail: 'An earlier attempt at a request is recorded, but not the request.',
    broken: `EXISTS (SELECT 1 FROM attempt LEFT JOIN part USING (account, step, part)
      WHERE attempt.account = account.id AND (part.attempt IS NULL OR part.attempt < attempt.attempt))`,
  },
];

/** Selects the accounts that break a rule. */
export function brokenAccounts(broken: string): string {
  return `SELECT supplier.code AS supplier, account.number AS account
    FROM account JOIN supplier ON supplier.id = account.supplier WHERE ${broken}`;
}

/** Counts the accounts by their state and those of their steps. */
export const countedStates =
  'SELECT supplier, state, steps, count(*) AS accounts FROM account GROUP BY 1, 2, 3';

export interface StatesRow {
  readonly supplier: number;
  readonly state: number;
  readonly steps: number;
  readonly accounts: number;
}

export interface TalliedRow {
  readonly supplier: number;
  readonly step: number;
  readonly state: number;
  readonly accounts: number;
}

/** How the stored counts differ from the rows. */
export class TallyDifferences {
  readonly #differences = new Map<string, number>();

  #add(supplier: number, step: number, state: number, by: number): void {
    const name = [supplier, step, state].join();
    this.#differences.set(name, (this.#differences.get(name) ?? 0) + by);
  }

  count({ supplier, state, steps: packed, accounts }: StatesRow): void {
    this.#add(supplier, ownState, state, accounts);
    for (const step of stepNames) {
      const stepState = stepStateIn(packed, step);
      if (stepState !== stepStates.of.none) this.#add(supplier, steps.of[step], stepState, accounts);
    }
  }

  compare({ supplier, step, state, accounts }: TalliedRow): void {
    this.#add(supplier, step, state, -accounts);
  }

  *all(): Generator<{ readonly supplier: number; readonly detail: string }> {
    for (const [name, difference] of this.#differences) {
      if (difference === 0) continue;
      const [supplier = 0, step = 0, state = 0] = name.split(',').map(Number);
      const what =
        step === ownState
          ? nameIn(accountStates, state)
          : `${nameIn(steps, step)} ${nameIn(stepStates, state)}`;
      const detail = `Its count of accounts with ${what} is ${Math.abs(difference)} too ${difference > 0 ? 'low' : 'high'}.`;
      yield { supplier, detail };
    }
  }
}

/** The name of a number, even if there is none. */
function nameIn(codes: Codes<string>, code: number): string {
  return Object.entries(codes.of).find(([, known]) => known === code)?.[0] ?? `state ${code}`;
}
