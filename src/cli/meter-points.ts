import type { Config } from '../config/load-config.ts';
import type { MeterPoint } from '../client/platform-client.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { Journal } from '../journal/journal.ts';
import type { RegistrationPorts } from '../pipeline/registration/register-accounts.ts';
import { RunClock } from '../pipeline/run/run-clock.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import type { StopControl } from '../pipeline/run/stop-control.ts';
import type { Printer } from '../report/printer.ts';
import type { StatusRow } from '../report/registration-text.ts';
import { counted } from '../report/format.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import { readContract } from '../run/effective-rules.ts';
import type { PlatformConnection } from '../run/session/connect.ts';
import type { Shell } from './shell.ts';

/** Throws CannotStart if the tenancy's contract has no meter points. */
export async function requireRegistration(config: Config): Promise<void> {
  const contract = await readContract(config, undefined, { checks: false });
  if (contract === undefined || contract.registers) return;
  throw new CannotStart(
    exitCodes.usage,
    `The contract ${(config.contract ?? []).join(', ')} has no meter point statuses, or no registration. Name the contract that has both.`,
  );
}

/** The supplier's completed accounts, or those of them that are chosen, until it is full. */
export async function* completedAccounts(
  journal: Pick<Journal, 'accounts'>,
  { platform, supplier }: { readonly platform: string; readonly supplier: string },
  chosen: ReadonlySet<string> | undefined,
  isFull = (): boolean => false,
): AsyncGenerator<AccountKey> {
  for await (const { key } of journal.accounts(platform, supplier, ['completed'])) {
    if (isFull()) return;
    if (chosen?.has(key.account) !== false) yield key;
  }
}

/** Says how many accounts of a list were not there to be looked at. */
export function warnOfOthers(
  printer: Pick<Printer, 'warn'>,
  chosen: ReadonlySet<string> | undefined,
  taken: number,
): void {
  const others = (chosen?.size ?? 0) - taken;
  if (others > 0)
    printer.warn(
      `${counted(others, 'account')} of --accounts ${others === 1 ? 'is' : 'are'} not completed in this journal, and left out.`,
    );
}

/** What questions and requests about meter points need. */
export function portsOf(
  shell: Shell,
  journal: Journal,
  { client }: Pick<PlatformConnection, 'client'>,
  stop: StopControl,
  printer: Pick<Printer, 'warn'>,
): RegistrationPorts {
  const emit = (event: RunEvent): void => {
    if (event.type === 'outage')
      printer.warn(`The platform does not answer (${event.cause}). Waiting until it does.`);
  };
  return { client, journal, clock: new RunClock(shell.clock), random: shell.random, stop, emit };
}

/** The number of the journal's last run, 0 if there is none. */
export async function lastRun(journal: Pick<Journal, 'runs'>): Promise<number> {
  for await (const { id } of journal.runs(1)) return id;
  return 0;
}

/** When the journal was last restored, in ms since the epoch. */
export async function lastRestore(journal: Pick<Journal, 'interventions'>): Promise<number | undefined> {
  for await (const { command, at } of journal.interventions()) if (command === 'restore') return at;
  return undefined;
}

/** Counts meter points by their statuses, as accounts are read. */
export class StatusTally {
  readonly #rows = new Map<string, { meterPoints: number; accounts: number }>();

  add(points: readonly MeterPoint[]): void {
    for (const { status } of points) this.#row(status).meterPoints += 1;
    for (const status of new Set(points.map((point) => point.status))) this.#row(status).accounts += 1;
  }

  /** The most frequent first. */
  get rows(): readonly StatusRow[] {
    return [...this.#rows]
      .map(([status, counts]) => ({ status, ...counts }))
      .sort((one, other) => other.meterPoints - one.meterPoints || (one.status < other.status ? -1 : 1));
  }

  /** Meter points by status, for programs. */
  get record(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.rows.map(({ status, meterPoints }) => [status, meterPoints]));
  }

  #row(status: string): { meterPoints: number; accounts: number } {
    const row = this.#rows.get(status) ?? { meterPoints: 0, accounts: 0 };
    this.#rows.set(status, row);
    return row;
  }
}

/** Why the work ended early, as a sentence; undefined if it did not. */
export function stoppedText({ reason, detail }: StopControl): string | undefined {
  if (reason === 'same-refusal')
    return `Stopped: each of the first requests ended in the same way (${detail}), and none was done. Ask the operator of the platform before you run the same command again.`;
  return reason === undefined
    ? undefined
    : `Stopped: ${stopDetail(reason, detail)} Run the same command again.`;
}
