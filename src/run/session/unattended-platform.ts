import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import type { Journal, RunEntry } from '../../journal/journal.ts';
import { embeddedIdAt, isLoopback, platformOf, unlessOutdated } from './connect.ts';
import { journalOf } from './journal-of.ts';

/** The earlier runs that are examined for their platforms. */
const mostRuns = 500;

/**
 * Throws CannotStart if nobody attends the run (the setting `unattended`) and its platform is not the one that was meant: a
 * rehearsal, a platform that is not `platformId`, or, without `platformId`, one that this journal has no run of.
 */
export async function refuseOtherPlatform(environment: Environment, config: Config): Promise<void> {
  if (!config.unattended) return;
  const why = await otherPlatform(environment, config);
  if (why !== undefined) throw new CannotStart(exitCodes.usage, why);
}

/** Why an unattended run would be refused for its platform; undefined if it would not. */
export async function otherPlatform(environment: Environment, config: Config): Promise<string | undefined> {
  const { baseUrl, platformId, meantPlatformId = platformId, profile } = config;
  const under = profile === undefined ? 'No profile is in force' : `The profile is ${profile}`;
  if (baseUrl === undefined)
    return `unattended is true, and no platform is configured: this would be a rehearsal. ${under}. Name the platform's profile with --profile or MIGRATE_PROFILE, or set MIGRATE_BASE_URL.`;
  const remedy = `${under}. Name the platform's profile, or set unattended to false for one run.`;
  if (meantPlatformId !== undefined) {
    const own = await embeddedIdAt(environment, config, baseUrl);
    const ids = [platformId ?? own ?? baseUrl, own ?? [], isAddress(meantPlatformId) ? baseUrl : []].flat();
    const other = ids.find((id) => id !== meantPlatformId);
    if (other !== undefined)
      return `unattended is true, and the platform ${baseUrl} is ${other}, not platformId ${meantPlatformId}. ${remedy}`;
  }
  const before = await platformBefore(environment, config, baseUrl);
  if (before === undefined) return undefined;
  if (before.platformLabel === baseUrl && !isLoopback(baseUrl))
    return `unattended is true, and run ${before.id} was on ${baseUrl} with platformId ${before.platform}, which no setting names now. ${under}. Set platformId to ${before.platform} again.`;
  if (before.platformLabel === baseUrl)
    return `unattended is true, and what answers at ${baseUrl} is not the platform of run ${before.id}, though the address is the same. ${under}. Check what answers there, such as a page of a proxy; to confirm another platform, set platformId.`;
  return platformId === undefined
    ? `unattended is true, and this journal has no run on ${baseUrl}: its last run was on ${before.platformLabel} (run ${before.id}). ${remedy} To confirm the new platform, set platformId.`
    : `unattended is true, and platformId ${platformId} was at ${before.platformLabel} in run ${before.id}, not at ${baseUrl}. ${remedy}`;
}

function isAddress(platformId: string): boolean {
  return /^https?:/.test(platformId);
}

/** The last run that contradicts the platform: of the same id at another address; without an id, of another platform only. */
async function platformBefore(
  environment: Environment,
  config: Config,
  baseUrl: string,
): Promise<RunEntry | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  try {
    const platform = await platformOf(environment, config);
    return await contradicting(journal, {
      platform,
      label: baseUrl,
      isNamed: config.platformId !== undefined,
    });
  } finally {
    await journal.close();
  }
}

async function contradicting(
  journal: Journal,
  now: { readonly platform: string | undefined; readonly label: string; readonly isNamed: boolean },
): Promise<RunEntry | undefined> {
  let other: RunEntry | undefined;
  for await (const run of journal.runs(mostRuns)) {
    // A run that was refused for its platform says nothing for it.
    const isRefused = run.end?.reason === 'not-begun';
    if (isRefused || run.facts?.rehearsal === true || run.platformLabel === 'embedded') continue;
    const isSame = run.platform === now.platform;
    if (now.isNamed && isSame) return run.platformLabel === now.label ? undefined : run;
    if (!now.isNamed && isSame) return undefined;
    other ??= run;
  }
  return now.isNamed ? undefined : other;
}
