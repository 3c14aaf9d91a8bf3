// What share of a limit a run uses behind nginx and HAProxy, how much of it is refused there, and what is left to a person.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hasGateway, startGateway, startServe, supplierOf } from './gateway-server.js';
import { tool } from './processes.js';

/** Cases side by side: each needs little of the machine. */
const together = 3;
/** Enough to find a rate and to use it; a run of more is worth its time only by name. */
const mostAccounts = 300;

const requests = (refusal, refused = 3) => ({ refusal, refused });
const rates = [1, 5, 20].flatMap((burst) => [5, 150].map((ms) => ({ perSecond: 50, burst, ms })));

const cases = [
  ...rates.map((rate) => ({ ...rate, status: 429, share: 0.9, ...requests('429') })),
  ...[1, 20].map((burst) => ({
    ...{ perSecond: 50, burst, ms: 5, status: 429, retryAfter: 1, share: 0.9 },
    ...requests('429, Retry-After: 1'),
  })),
  ...rates.map((rate) => ({ ...rate, status: 503, share: 0.85, ...requests('503') })),
  {
    perSecond: 50,
    burst: 5,
    ms: 5,
    status: 503,
    retryAfter: 1,
    share: 0.85,
    ...requests('503, Retry-After: 1'),
  },
  { perSecond: 10, burst: 5, ms: 5, status: 429, share: 0.85, few: 0.25, ...requests('429') },
  { perSecond: 500, burst: 20, ms: 5, status: 429, share: 0.85, many: 4, ...requests('429') },
  {
    ...{
      perSecond: 20,
      burst: 5,
      ms: 5,
      status: 429,
      share: 0.85,
      few: 0.5,
      ...requests('429, one endpoint: notes'),
    },
    each: { notes: 5, all: undefined },
    limited: 'notes',
  },
  { places: 8, ms: 50, status: 429, share: 0.97, ...requests('429', 2) },
  { places: 64, ms: 150, status: 429, share: 0.97, many: 4, ...requests('429', 2) },
  { perSecond: 50, burst: 5, ms: 5, status: 429, share: 0.85, runs: 2, ...requests('429', 5) },
  { gateway: 'haproxy', perSecond: 50, ms: 5, status: 429, share: 0.9, ...requests('429') },
  { gateway: 'haproxy', perSecond: 50, ms: 5, status: 503, share: 0.85, ...requests('503') },
];

/** `only`: cases whose name contains this. */
export async function gateways({ accounts, directory, only = '' }) {
  const chosen = cases.filter((one) => nameOf(one).includes(only) && hasGateway(one.gateway ?? 'nginx'));
  const rows = [];
  const queue = chosen.entries();
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const [at, one] of queue) {
        const place = join(directory, String(at));
        const size = Math.max(2, Math.round(Math.min(accounts, mostAccounts) * (one.few ?? one.many ?? 1)));
        rows[at] = await row(place, one, size);
      }
    }),
  );
  return rows;
}

function nameOf({ gateway = 'nginx', perSecond, burst, places, refusal, ms, runs = 1 }) {
  const limit = places === undefined ? `${perSecond}/s` : `${places} at once`;
  const of = burst === undefined ? '' : `, burst ${burst}`;
  return `${gateway}, ${limit}${of}, ${refusal}, ${ms} ms${runs > 1 ? `, ${runs} runs` : ''}`;
}

async function row(directory, one, accounts) {
  const { gateway: kind = 'nginx', ms, runs = 1, share, refused: most } = one;
  const serve = await startServe(join(directory, 'platform'), ms);
  const gateway = await startGateway(join(directory, 'gateway'), kind, serve.port, one);
  try {
    const each = Array.from({ length: runs }, (_, at) => at + 1);
    const summaries = await Promise.all(
      each.map((at) =>
        drive(join(directory, `run${at}`), at, Math.ceil(accounts / runs), gateway.url, serve.apiKey),
      ),
    );
    const seen = measured(gateway.log(), one);
    const left = summaries.reduce((sum, { accounts: of }) => sum + of.uncertain + of.failed, 0);
    return {
      measure: nameOf(one),
      against: `refused ${seen.refusedPercent.toFixed(1)} % (<= ${most}), to a person ${left}`,
      unit: 'accepted/s',
      ours: seen.perSecond,
      theirs: seen.allowed,
      ratio: seen.perSecond / seen.allowed,
      reach: `>= ${share}`,
      isReached: seen.perSecond / seen.allowed >= share && seen.refusedPercent <= most && left === 0,
      notes: { ...seen, left, pace: summaries[0].pace },
    };
  } finally {
    await gateway.stop();
    await serve.stop();
  }
}

async function drive(directory, seed, accounts, url, apiKey) {
  mkdirSync(directory, { recursive: true });
  const env = {
    ...{ MIGRATE_BASE_URL: url, MIGRATE_API_KEY: apiKey, MIGRATE_TEAM: 'MIGRATIONS' },
    // As with any other platform: what is lost there is left to a person.
    MIGRATE_AGREEMENTS_MAY_REPEAT: 'false',
    MIGRATE_BILLING_REFUSAL_COUNTS_AS_OURS: 'false',
    MIGRATE_PAYMENT_REFUSAL_AFTER500: 'false',
  };
  const given = { cwd: directory, env };
  await tool(
    [
      'generate',
      'export',
      '--accounts',
      String(accounts),
      '--seed',
      String(seed),
      '--supplier',
      supplierOf(seed),
    ],
    {
      ...given,
      isPlain: true,
    },
  );
  if (seed > 1) await setTimeout(1000);
  const { summary, stdout } = await tool(
    ['run', 'export', '--yes', '--log', 'run.log', '--log-level', 'debug'],
    {
      ...given,
      isPlain: true,
      codes: [0, 3, 8],
    },
  );
  writeFileSync(join(directory, 'stdout'), stdout);
  return summary;
}

/** The accepted requests after which the rest may wait for lost answers, as a share. */
const nearlyAll = 0.97;

/** Accepted per second, from the first request until nearly all have passed, and how much the limit allows. */
function measured(log, { perSecond, places, ms, each, limited }) {
  const accepted = log.filter(({ isRefused }) => !isRefused);
  const counted = limited === undefined ? accepted : accepted.filter(({ uri }) => uri.includes(limited));
  const times = counted.map(({ at }) => at).sort((a, b) => a - b);
  const most = Math.floor((times.length - 1) * nearlyAll);
  const seconds = times[most] - times[0];
  const took = accepted.reduce((sum, one) => sum + one.took, 0) / accepted.length;
  return {
    requests: log.length,
    seconds: times.at(-1) - times[0],
    perSecond: most / seconds,
    refusedPercent: (100 * (log.length - accepted.length)) / log.length,
    allowed: each?.[limited] ?? perSecond ?? places / (took || ms / 1000),
  };
}
