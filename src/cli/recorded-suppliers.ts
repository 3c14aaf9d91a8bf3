import { CannotStart } from '../host/cannot-start.ts';
import { embeddedLabel, embeddedStateFile } from '../run/session/embedded-platform.ts';
import { attributedRuns } from '../run/attributed-runs.ts';
import { collected } from './collected.ts';
import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { AccountEntry, Journal, RunEntry, SupplierOverview } from '../journal/journal.ts';
import { isRunOf } from '../domain/run-of.ts';
import { withoutSupplierIn, type WithoutSupplier } from '../report/without-supplier.ts';
import { readPlatformId } from '../platform/platform-id.ts';
import { withoutRehearsals } from '../report/rehearsals.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';

/** Runs that are looked through for what only runs know. */
const mostRuns = 200;

/**
 * The journal's suppliers that a command covers: those of the configured platform, or only the one that is
 * named. Where none is configured, those of all platforms, without rehearsals beside others.
 */
export async function recordedSuppliers(
  journal: Journal,
  config: Config,
): Promise<readonly SupplierOverview[]> {
  const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
  const own = (await journal.overview()).filter(
    ({ platform, supplier }) =>
      platforms.has(platform) && (config.supplier === undefined || supplier === config.supplier),
  );
  return withoutRehearsals(own);
}

/** Accounts of the exports of these suppliers whose data names none, as the last runs counted them. */
export async function recordedWithoutSupplier(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
): Promise<WithoutSupplier | undefined> {
  return withoutSupplierIn(await newestRuns(journal, suppliers));
}

/** The newest runs of these suppliers, newest first. */
export async function newestRuns(
  journal: Journal,
  suppliers: readonly SupplierOverview[],
): Promise<readonly RunEntry[]> {
  const runs = await collected(journal.runs(mostRuns));
  const attributed = await attributedRuns(journal, await journal.overview(), runs);
  return attributed.filter((run) => suppliers.some((overview) => isRunOf(run, overview)));
}

/** Why the journal shows no supplier, where `recordedSuppliers` finds none. */
export async function whyEmpty(journal: Journal): Promise<EmptyJournal> {
  if ((await journal.overview()).length > 0) return 'elsewhere';
  const latest = await journal.runs(1)[Symbol.asyncIterator]().next();
  if (latest.done === true) return 'new';
  return latest.value.end === undefined ? 'not-yet' : 'no-accounts';
}

/**
 * Which of the journal's platforms a question is about: the configured one, known by its id or by its address; all of
 * them where none is configured. Uses only the journal, so it also works when the platform is unavailable.
 */
export async function recordedPlatforms(
  journal: Journal,
  config: Pick<Config, 'baseUrl' | 'platformId'>,
): Promise<{ readonly platform: string; readonly label: string }[]> {
  const known = await journal.platforms();
  const { baseUrl, platformId } = config;
  if (baseUrl === undefined) return known;
  const { origin } = new URL(baseUrl);
  const named = known.filter(({ platform, label }) =>
    platformId === undefined ? label === origin : platform === platformId,
  );
  if (named.length > 0 || platformId !== undefined || !isLoopback(origin)) return named;
  return known.filter(({ platform, label }) => platform !== label && isLoopback(label));
}

/** An embedded platform proves what it is at any port: one that was started again is at another one. */
function isLoopback(address: string): boolean {
  return URL.canParse(address) && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(new URL(address).hostname);
}

/** The platform that a run would use, if that is known without a request. */
export interface PlatformAhead {
  /** Its key in the journal; absent if nothing was ever recorded for it. */
  readonly platform?: string | undefined;
  readonly label: string;
  readonly isEmbedded: boolean;
}

/** Finds it by the state that an embedded platform keeps beside the journal, else by the configured id or address. */
export async function platformAhead(journal: Journal | undefined, config: Config): Promise<PlatformAhead> {
  if (config.baseUrl === undefined) {
    const platform = readPlatformId(embeddedStateFile(config));
    return { label: embeddedLabel, isEmbedded: true, platform };
  }
  const label = config.baseUrl;
  const [latest] = journal === undefined ? [] : await recordedPlatforms(journal, config);
  if (latest === undefined) return { label, isEmbedded: false };
  const { platform } = latest;
  // An embedded platform that `migrate serve` started is recorded by its own id.
  const isEmbedded = config.platformId === undefined && platform !== label;
  return { platform, label, isEmbedded };
}

/** The only supplier in the journal; undefined if there is none. Throws CannotStart if there are several. */
export function onlySupplier(suppliers: readonly SupplierOverview[]): SupplierOverview | undefined {
  if (suppliers.length <= 1) return suppliers[0];
  const names = suppliers.map(({ supplier, platformLabel }) => `${supplier} on ${platformLabel}`);
  throw new CannotStart(
    exitCodes.usage,
    `The journal has several: ${names.join(', ')}. Name the import supplier with --supplier, and its platform with --profile or MIGRATE_BASE_URL.`,
  );
}

export interface FoundAccount {
  readonly platform: string;
  readonly platformLabel: string;
  readonly entry: AccountEntry;
}

/** The account with the number that a person gave: throws CannotStart if the journal has none, or several. */
export async function findAccount(journal: Journal, config: Config, account: string): Promise<FoundAccount> {
  const found: FoundAccount[] = [];
  for (const { platform, platformLabel, supplier } of await recordedSuppliers(journal, config)) {
    const entry = await journal.find(platform, { supplier, account });
    if (entry !== undefined) found.push({ platform, platformLabel, entry });
  }
  const [only, ...others] = found;
  if (only === undefined)
    throw new CannotStart(
      exitCodes.usage,
      `The journal ${journal.location} has no account ${account}${config.supplier === undefined ? '' : ` of ${config.supplier}`}. ` +
        'Check the number, --supplier and --journal.',
    );
  if (others.length > 0) {
    const places = found.map(({ entry, platformLabel }) => `${entry.key.supplier} on ${platformLabel}`);
    throw new CannotStart(
      exitCodes.usage,
      `Account ${account} is in the journal several times: ${places.join(', ')}. Name one with --supplier or --profile.`,
    );
  }
  return only;
}
