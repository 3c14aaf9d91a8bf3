import type { Config } from '../config/load-config.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { readPlatformId } from '../platform/platform-id.ts';
import { embeddedLabel, embeddedStateFile } from '../app/embedded-platform.ts';
import type { EmptyJournal } from '../report/empty-journal.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../app/cannot-start.ts';

/** The journal's suppliers that a command is about: of the configured platform, and the named one where one is named. */
export async function recordedSuppliers(journal: Journal, config: Config): Promise<SupplierOverview[]> {
  const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
  return (await journal.overview()).filter(
    ({ platform, supplier }) =>
      platforms.has(platform) && (config.supplier === undefined || supplier === config.supplier),
  );
}

/** Why the journal shows no supplier, where `recordedSuppliers` finds none. */
export async function whyEmpty(journal: Journal): Promise<EmptyJournal> {
  if ((await journal.overview()).length > 0) return 'elsewhere';
  const latest = await journal.runs(1)[Symbol.asyncIterator]().next();
  return latest.done === true ? 'new' : 'no-accounts';
}

/**
 * Which of the journal's platforms a question is about: the configured one, known by its id or by its address; all of
 * them where none is configured. Asks nobody: the journal alone answers, also when the platform is away.
 */
export async function recordedPlatforms(
  journal: Journal,
  config: Pick<Config, 'baseUrl' | 'platformId'>,
): Promise<{ readonly platform: string; readonly label: string }[]> {
  const known = await journal.platforms();
  const { baseUrl, platformId } = config;
  if (baseUrl === undefined) return known;
  const { origin } = new URL(baseUrl);
  return known.filter(({ platform, label }) =>
    platformId === undefined ? label === origin : platform === platformId,
  );
}

/** The platform that a run would go to, as far as that is known without asking it. */
export interface PlatformAhead {
  /** The journal's key of it; absent when nothing was ever recorded of it. */
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
  const label = new URL(config.baseUrl).origin;
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
