import type { Config } from '../config/load-config.ts';
import { stepNames } from '../domain/steps.ts';
import type { Cutting, Settings } from '../pipeline/settings.ts';
import type { PlatformConnection } from './session/connect.ts';
import { requestMs } from './session/lease-settings.ts';
import type { ScheduleWindow } from './schedule-window.ts';
import type { RunRequest } from './run-request.ts';

/** The settings that decide how a step's items are divided into requests. */
export function cuttingOf(config: Config): Cutting {
  return {
    requestSizes: {
      notes: config.notesPerRequest,
      transactions: config.transactionsPerRequest,
      statements: config.statementsPerRequest,
    },
    transactionsQuery: {
      checkPreviouslyAdded: config.checkPreviouslyAdded,
      forceAddToCurrentStatement: config.forceAddToCurrentStatement,
    },
    tenancy: { statementsRefuseKnownIds: config.statementsRefuseKnownIds },
  };
}

/** The embedded platform is reached without a proxy, and answers at once. */
const embeddedQuietPeriodMs = 10_000;

/** How long a run waits for what. */
export function patienceOf(config: Config, isEmbedded: boolean): Settings['patience'] {
  const {
    proxyMs,
    quietPeriodMs = isEmbedded ? embeddedQuietPeriodMs : undefined,
    ...patience
  } = config.patience;
  return quietPeriodMs === undefined
    ? { ...patience, quietPeriodMs: requestMs(config) + proxyMs, quietFrom: 'sending' }
    : { ...patience, quietPeriodMs };
}

function scheduleOf({ schedule }: Config): Omit<Settings['schedule'], 'startAt' | 'endAt'> {
  const { mostPending, pollMs, waitMs } = schedule;
  return { mostPending, pollMs, waitMs };
}

/** The pipeline's settings for a run. */
export function pipelineSettings(
  {
    config,
    dryRun = false,
    adopt = false,
    steps = new Set(stepNames),
    limit,
    maxFailures,
  }: Omit<RunRequest, 'path' | 'hours'>,
  connection: Pick<PlatformConnection, 'team' | 'isEmbedded' | 'importKind'>,
  window: ScheduleWindow = {},
): Settings {
  const cutting = cuttingOf(config);
  return {
    team: connection.team,
    importKind: connection.importKind,
    schedule: { ...window, ...scheduleOf(config) },
    dryRun,
    adopt,
    steps,
    concurrency: config.concurrency,
    keepWords: config.keepPlatformWords,
    ...cutting,
    tenancy: {
      ...cutting.tenancy,
      // The embedded platform recognises a repeated agreement, nobody else fills a rehearsal's ledgers, and its 500
      // has no effect.
      agreementsMayRepeat: config.agreementsMayRepeat ?? connection.isEmbedded,
      billingRefusalCountsAsOurs: config.billingRefusalCountsAsOurs ?? connection.isEmbedded,
      paymentRefusalAfter500: config.paymentRefusalAfter500 ?? connection.isEmbedded,
    },
    retry: config.retry,
    patience: patienceOf(config, connection.isEmbedded),
    timeouts: config.timeouts,
    processConcurrency: config.processConcurrency,
    rate: config.rate,
    bytesPerRequest: config.bytesPerRequest,
    limit,
    maxFailures,
  };
}
