import { CannotStart } from '../host/cannot-start.ts';
import { connect, type PlatformConnection } from '../run/session/connect.ts';
import { RefusedAccess } from '../run/session/refused-access.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { Answer, PlatformClient } from '../client/platform-client.ts';
import type { Config } from '../config/load-config.ts';
import type { ImportProcessRecord } from '../contract/answers.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { needsPerson } from '../domain/lasting-causes.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { waitAfter } from '../pipeline/request/retry.ts';
import { emptyJournalText } from '../report/empty-journal.ts';
import { inSentence } from '../report/format.ts';
import { platformAhead, whyEmpty } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** A platform that can be asked about the journal's accounts. */
export interface Recorded {
  readonly connection: PlatformConnection;
  /** The journal's suppliers on that platform: the named one, or all of them; at least one. */
  readonly suppliers: readonly SupplierOverview[];
}

/**
 * Connects to the configured platform, or the embedded one, to ask about accounts in the journal. Throws CannotStart
 * if the journal has none there: nothing is started then, so that a mistyped name creates no new platform.
 */
export async function connectRecorded(shell: Shell, config: Config, journal: Journal): Promise<Recorded> {
  if (config.baseUrl === undefined) {
    const { platform, label } = await platformAhead(journal, config);
    await suppliersOn(journal, config, { platform, label });
  }
  // No account is created, so no operations team is required.
  const connection = await connect(shell, { ...config, team: config.team ?? '' });
  try {
    return { connection, suppliers: await suppliersOn(journal, config, connection) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function suppliersOn(
  journal: Journal,
  { supplier }: Pick<Config, 'supplier'>,
  { platform, label }: { readonly platform: string | undefined; readonly label: string },
): Promise<readonly SupplierOverview[]> {
  const all = await journal.overview();
  const isMeant = (one: SupplierOverview) => supplier === undefined || one.supplier === supplier;
  const meant = all.filter((one) => one.platform === platform && isMeant(one));
  if (meant.length > 0) return meant;
  const whose = supplier === undefined ? '' : ` of ${supplier}`;
  const others = all.map((one) => `${one.supplier} on ${one.platformLabel}`);
  const empty = await whyEmpty(journal);
  if (empty === 'no-accounts' || empty === 'not-yet')
    throw new CannotStart(exitCodes.usage, emptyJournalText(empty));
  const has = others.length === 0 ? 'It is empty: run a migration first.' : `It has ${others.join(', ')}.`;
  throw new CannotStart(exitCodes.usage, `The journal has no accounts${whose} on ${label}. ${has}`);
}

/**
 * Streams what the platform lists of a supplier, pending and imported (interface, section 4, endpoint 5). A
 * list that is cut off is discarded and requested again; `begin` is called before each try. Throws
 * CannotStart when the platform does not give it whole.
 */
export async function readList(
  {
    shell,
    config,
    client,
  }: { readonly shell: Shell; readonly config: Config; readonly client: PlatformClient },
  supplier: string,
  begin: () => (record: ImportProcessRecord) => void,
): Promise<void> {
  const { retry, patience } = config;
  const access = new RefusedAccess(shell.clock, patience.credentialsMs, client);
  const own = { count: 0, since: 0 };
  for (let tries = 1; ; tries += 1) {
    await access.pass();
    const answer = await client.list('allProcesses', supplier, begin());
    if (answer.kind === 'ok') return;
    if (answer.kind === 'unauthorized' && (await access.refused(answer, own)) === 'again') continue;
    const most = answer.kind === 'throttled' ? retry.throttledAttempts : retry.attempts;
    if (isFinal(answer) || tries >= most) throw refusal(answer, supplier);
    const asked = answer.kind === 'throttled' ? answer.retryAfterMs : undefined;
    await shell.clock.sleep(waitAfter(asked, tries, retry, shell.random));
  }
}

/**
 * The account with its number, if its status says that it exists (interface, section 4, endpoint 4); undefined if it does
 * not, or no answer comes.
 */
export async function askAccount(
  {
    shell,
    config: { retry },
    client,
  }: { readonly shell: Shell; readonly config: Config; readonly client: PlatformClient },
  key: AccountKey,
): Promise<{ readonly krakenAccountNumber: string } | undefined> {
  for (let tries = 1; tries <= retry.attempts; tries += 1) {
    const answer = await client.transferStatus(key, { fresh: true });
    if (answer.kind === 'ok') {
      const { krakenAccountNumber } = answer.body;
      return krakenAccountNumber === undefined ? undefined : { krakenAccountNumber };
    }
    if (answer.kind === 'refused' || answer.kind === 'not-found') return undefined;
    if (answer.kind === 'unauthorized') client.discardToken(answer.tokenId);
    const asked = answer.kind === 'throttled' ? answer.retryAfterMs : undefined;
    if (tries < retry.attempts) await shell.clock.sleep(waitAfter(asked, tries, retry, shell.random));
  }
  return undefined;
}

type Failure = Exclude<Answer<void>, { kind: 'ok' }>;

function isFinal(answer: Failure): boolean {
  if ('cause' in answer) return needsPerson(answer.cause);
  return answer.kind !== 'throttled';
}

function refusal(answer: Failure, supplier: string): CannotStart {
  if (answer.kind === 'unauthorized')
    return new CannotStart(
      exitCodes.credentialsRefused,
      inSentence(stopDetail('credentials', answer.detail)),
    );
  if (answer.kind === 'refused' || answer.kind === 'not-found')
    return new CannotStart(
      exitCodes.unavailable,
      `The platform does not list the accounts of ${supplier} (status ${answer.status}: ${answer.refusal.detail}). Ask its operator whether it knows this import supplier.`,
    );
  const cause = 'cause' in answer ? answer.cause : answer.kind;
  return new CannotStart(
    exitCodes.unavailable,
    `The platform's list of accounts was incomplete, and an incomplete list proves nothing: ${stopDetail('unavailable', cause)}`,
  );
}
