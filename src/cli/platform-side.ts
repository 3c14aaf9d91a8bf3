import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { printOf } from '../pipeline/hash.ts';
import type { AccountRead } from '../read-back/account-reader.ts';
import { dateMovedCode } from '../domain/shared-codes.ts';
import { expectedAccount } from '../read-back/expected-account.ts';
import { sideBySide, type AccountSides } from '../read-back/side-by-side.ts';
import { openReader } from '../run/read-back/open-reader.ts';
import { connect } from '../run/session/connect.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import { platformAhead, type FoundAccount } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/**
 * Reads an account back, and puts export, journal and platform side by side. Without `plan`, nothing is compared. Throws
 * CannotStart if the platform is another one, or cannot be read.
 */
export async function platformSide(
  shell: Shell,
  config: Config,
  journal: Journal,
  { entry, platform, platformLabel }: FoundAccount,
  plan: AccountPlan | undefined,
): Promise<AccountSides> {
  const another = new CannotStart(
    exitCodes.usage,
    `The account is on ${platformLabel}, which is not the configured platform. Name its profile with --profile, or set MIGRATE_BASE_URL.`,
  );
  const { krakenAccountNumber: number } = entry;
  if (number === undefined) return { state: 'no-number', rows: [] };
  // The embedded platform is not started for another one's account.
  if (config.baseUrl === undefined && (await platformAhead(journal, config)).platform !== platform)
    throw another;
  const connection = await connect(shell, { ...config, team: config.team ?? '' });
  let read: AccountRead;
  try {
    if (connection.platform !== platform) throw another;
    read = await openReader(shell, config, connection).read(number);
  } finally {
    await connection.close();
  }
  if (read.kind === 'stopped') {
    const isKey = read.reason === 'credentials';
    throw new CannotStart(
      isKey ? exitCodes.credentialsRefused : exitCodes.unavailable,
      isKey
        ? stopDetail('credentials', read.detail)
        : `The platform could not be read back (${read.detail}). Run the same command again later.`,
    );
  }
  if (read.kind === 'no-account') return { state: 'no-account', rows: [] };
  const isAsSent = plan !== undefined && entry.planHash === printOf(plan).planHash;
  const datesMoved = entry.parts.some(({ code }) => code === dateMovedCode);
  const expected = isAsSent
    ? expectedAccount({ ...plan, steps: entry.steps, datesMoved }, config.readBack.decimals ?? 2)
    : undefined;
  const state = plan === undefined ? 'no-export' : isAsSent ? 'compared' : 'changed-since';
  return {
    state,
    rows: sideBySide({ held: read.account, steps: entry.steps, expected }, { timeZone: config.timeZone }),
  };
}
