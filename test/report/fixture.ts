import { zeroCounts, type AccountCounts } from '../../src/domain/account-state.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { stepNames, type StepName } from '../../src/domain/steps.ts';
import type { AccountEntry, PartEntry, StepCounts, SupplierOverview } from '../../src/journal/journal.ts';
import { pageOf, type Page, type Terminal } from '../../src/report/terminal.ts';

/** A terminal that keeps what it is given. */
export interface Screen extends Terminal {
  columns: number;
  rows: number;
  readonly written: string[];
  /** All that was written. */
  text(): string;
}

export function screen(options: { columns?: number; isTty?: boolean; colour?: boolean } = {}): Screen {
  const { columns = 80, isTty = false, colour = false } = options;
  const written: string[] = [];
  return {
    columns,
    rows: 24,
    isTty,
    colour,
    written,
    write: (text) => void written.push(text),
    text: () => written.join(''),
  };
}

export function page(columns = 80, colour = false): Page {
  return pageOf(screen({ columns, colour }), 'Europe/London');
}

/** What a person sees in each line of a terminal, once everything was written. */
export function seen(text: string): string[] {
  const lines = [''];
  let row = 0;
  let column = 0;
  const put = (line: string): void => void (lines[row] = line);
  // eslint-disable-next-line no-control-regex -- the terminal's own language
  const tokens = /\u001b\[(\d*)([A-Za-z])|[\r\n]|[^\u001b\r\n]+/g;
  for (const [token, count = '', move = ''] of text.matchAll(tokens)) {
    const line = lines[row] ?? '';
    if (token === '\n') lines[++row] ??= '';
    else if (move === 'A') row -= Number(count);
    else if (move === 'K') put(count === '2' ? '' : line.slice(0, column));
    else if (move === 'J') lines.splice(row, Infinity, line.slice(0, column));
    else if (move === '' && token !== '\r') {
      put(line.slice(0, column).padEnd(column) + token + line.slice(column + token.length));
      column += token.length;
    }
    if (token === '\n' || token === '\r') column = 0;
  }
  return lines;
}

/** A clock that stands until it is told to go on. */
export class OwnClock implements Clock {
  #now = Date.UTC(2026, 6, 1, 20);
  readonly #sleepers = new Set<{ readonly due: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(new Error('aborted'));
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { due: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', stop);
    });
  }

  /** Lets so much time pass, waking everybody who is due on the way. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#sleepers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      this.#now = next?.due ?? until;
      if (next === undefined) return;
      this.#sleepers.delete(next);
      next.wake();
      await new Promise(setImmediate);
    }
  }
}

export function counts(some: Partial<AccountCounts>): AccountCounts {
  return { ...zeroCounts(), ...some };
}

export function problem(changes: Partial<Problem> = {}): Problem {
  return {
    account: '4711',
    step: 'validate',
    code: 'invalid_phone_number',
    path: 'customers.0.landline',
    detail: 'This is no phone number of GB.',
    severity: 'error',
    cell: { file: 'customers.csv', line: 12, column: 'landline' },
    ...changes,
  };
}

export function overview(supplier: string, accounts: Partial<AccountCounts>): SupplierOverview {
  const steps = eachStep((step): StepCounts => ({
    done: step === 'validate' ? 1_234_567 : 12,
    failed: 0,
    uncertain: step === 'billing-documents' ? 3 : 0,
    pending: 4,
  }));
  return {
    platform: 'p',
    platformLabel: 'https://api.example.com',
    supplier,
    accounts: counts(accounts),
    absent: 0,
    stagedByDryRun: 0,
    changedAfterImport: 0,
    alreadyHeld: 0,
    refusedData: 0,
    inDoubt: 0,
    partlyRead: [],
    steps,
  };
}

export function eachStep<Value>(value: (step: StepName) => Value): Record<StepName, Value> {
  return Object.fromEntries(stepNames.map((step) => [step, value(step)])) as Record<StepName, Value>;
}

export const entry: AccountEntry = {
  id: 1,
  key: { supplier: 'TENTACLE_ENERGY', account: '4711' },
  state: 'rejected',
  code: 'duplicate_transaction_ids',
  krakenAccountNumber: 'A-00001234',
  steps: {
    ...eachStep(() => 'none' as const),
    validate: 'done',
    stage: 'done',
    process: 'done',
    transactions: 'refused',
  },
  parts: [],
};

export function attempt(changes: Partial<PartEntry> = {}): PartEntry {
  return {
    step: 'transactions',
    part: 0,
    state: 'refused',
    hash: 'h',
    attempt: 1,
    run: 3,
    sentAt: Date.UTC(2026, 6, 1, 21, 3, 12, 345),
    answeredAt: Date.UTC(2026, 6, 1, 21, 3, 12, 465),
    outcome: 'refused',
    status: 400,
    code: 'duplicate_transaction_ids',
    ...changes,
  };
}
