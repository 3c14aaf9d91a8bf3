import { CannotStart } from '../../host/cannot-start.ts';
import type { Config } from '../../config/load-config.ts';
import type { Night, NightSource } from '../../dashboard/night.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { whyNotListening } from '../../domain/not-listening.ts';
import { withTotal } from '../../domain/account-state.ts';
import type { Journal, RunEntry, SupplierOverview } from '../../journal/journal.ts';
import type { AnyCommand } from '../commander.ts';
import { collected } from '../collected.ts';
import { givenFlags } from '../../report/command-line.ts';
import { port } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const loopback = ['127.0.0.1', '::1', 'localhost'];
const tokenVariable = 'MIGRATE_DASHBOARD_TOKEN';
/** Shorter ones can be guessed. */
const leastToken = 16;

const usage = () =>
  new Usage('dashboard')
    .description('Serve a read-only page with the state of the migration, updated live')
    .example('migrate dashboard --port 8080', 'migrate dashboard --host 0.0.0.0 --port 8080')
    .option('--port <n>', 'Port; 0 picks a free one', port, 0)
    .option(
      '--host <address>',
      'Address to listen on; other than loopback, readers need a token',
      '127.0.0.1',
    )
    .option('--supplier <code>', 'Only this import supplier');

type Flags = FlagsOf<typeof usage>;

export function dashboardCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await dashboard(shell, flags)));
}

/** `migrate dashboard`: serves the state of the journal as a page until it is interrupted. Changes nothing. */
async function dashboard(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { startDashboard } = await import('../../dashboard/server.ts');
  const { version } = await import('../../host/packaged.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  return conclude(shell, 'dashboard', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { host } = flags;
    const token = await tokenFor(shell, host);
    const options = {
      ...{ host, port: flags.port, clock: shell.clock, version: version() },
      ...{ source: await nightSource(shell, config, givenFlags(flags)), token: token?.text },
      timeZone: config.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    const page = await startDashboard(options).catch((error: unknown) => {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new CannotStart(
        exitCodes.usage,
        `Cannot listen on port ${flags.port} of ${host}: ${whyNotListening(error)}`,
      );
    });
    const made = token?.isMade === true ? token.text : undefined;
    const address = made === undefined ? page.url : `${page.url}?token=${made}`;
    printer.line({ type: 'listening', url: page.url, token: made }, `The dashboard is at ${address}`);
    printer.info('Ctrl-C to quit.');
    await new Promise<void>((resolve) => void shell.onInterrupt(resolve));
    await page.close();
    return { exit: exitCodes.done };
  });
}

interface Token {
  readonly text: string;
  /** Whether it was generated for this start, so that nobody knows it yet. */
  readonly isMade: boolean;
}

/** The token that readers need: the environment's, or one of its own where others than this machine reach the page. */
async function tokenFor({ env }: Shell, host: string): Promise<Token | undefined> {
  const given = env[tokenVariable];
  if (given !== undefined && given !== '') {
    if (!/^[A-Za-z0-9._~-]+$/.test(given) || given.length < leastToken)
      throw new CannotStart(
        exitCodes.usage,
        `${tokenVariable} has to be at least ${leastToken} letters, digits, dots, hyphens, underscores or tildes. Make one with: openssl rand -hex 24`,
      );
    return { text: given, isMade: false };
  }
  if (loopback.includes(host)) return undefined;
  const { randomBytes } = await import('node:crypto');
  return { text: randomBytes(24).toString('base64url'), isMade: true };
}

const mostRuns = 20;

/**
 * Opens the journal again each time, so that it notices one that was created, moved or restored in the
 * meantime.
 */
async function nightSource(shell: Shell, config: Config, flags: string): Promise<NightSource> {
  const { stepsNotOffered } = await import('../../run/effective-rules.ts');
  const { storyOf } = await import('../account-history.ts');
  const { openRecorded } = await import('../open-to-read.ts');
  const { recordedPlatforms, recordedSuppliers, whyEmpty, runningAmong } =
    await import('../recorded-suppliers.ts');
  const { watchSuppliers } = await import('../watch-suppliers.ts');
  const { attributedRuns } = await import('../../run/attributed-runs.ts');
  const { faultyPlace } = await import('../../report/problem-list.ts');
  const notOffered = config.contract === undefined ? undefined : await stepsNotOffered(config);
  const watch = watchSuppliers(shell, config);

  async function reading<Result>(
    read: (journal: Journal, warnings: readonly string[]) => Promise<Result>,
  ): Promise<Result | undefined> {
    const warnings: string[] = [];
    const journal = await openRecorded(shell, config, { warn: (text) => void warnings.push(text) });
    try {
      return journal && (await read(journal, warnings));
    } finally {
      await journal?.close();
    }
  }

  async function placesOf(
    journal: Journal,
    platform: string,
    key: { readonly supplier: string; readonly account: string },
  ): Promise<readonly string[]> {
    const entry = await journal.find(platform, key);
    if (entry === undefined) return [];
    const problems = await collected(journal.problems(entry.id));
    return [...new Set(problems.filter(({ isWarning }) => isWarning !== true).map(faultyPlace))];
  }

  /** Counted once for each end of a run: it reads all accounts. */
  const counted = new Map<string, { readonly state: string; readonly count: number }>();
  const warnedOf = async (
    journal: Journal,
    overview: SupplierOverview,
    runs: readonly RunEntry[],
  ): Promise<number | undefined> => {
    const { platform, supplier, accounts } = overview;
    // Only a book that is complete is told with its warnings.
    if (accounts.completed === 0 || accounts.completed < withTotal(accounts).total) return undefined;
    const name = JSON.stringify([platform, supplier]);
    const state = JSON.stringify([accounts.completed, runs[0]?.id, runs[0]?.end?.endedAt]);
    const known = counted.get(name);
    if (known?.state === state) return known.count;
    const { warnedAccounts } = await import('../../report/failures/warned-accounts.ts');
    const found = await warnedAccounts(journal, [overview]);
    if (found !== undefined) counted.set(name, { state, count: found.accounts });
    return found?.accounts;
  };

  return {
    look: async () =>
      (await reading<Night>(async (journal, warnings) => {
        const statuses = await watch(journal);
        const runs = await attributedRuns(journal, statuses, await collected(journal.runs(mostRuns)));
        const suppliers = await Promise.all(
          statuses.map(async (status) => {
            const { platform, supplier, watched } = status;
            const failures = await Promise.all(
              (watched?.troubles ?? []).map(async (trouble) => ({
                ...trouble,
                places: await placesOf(journal, platform, { supplier, account: trouble.account }),
              })),
            );
            const warned = await warnedOf(journal, status, runs);
            return {
              status: { ...status, notOffered },
              failures,
              ...(warned === undefined ? {} : { warned }),
            };
          }),
        );
        const empty = suppliers.length === 0 ? await whyEmpty(journal) : 'new';
        const running = await runningAmong(shell, config, journal, runs);
        return { suppliers, empty, runs, running, flags, warnings };
      })) ?? {
        suppliers: [],
        runs: [],
        running: new Set(),
        warnings: [`There is no journal at ${config.journal} yet.`],
      },
    find: async (account, named) =>
      (await reading(async (journal) => {
        const labels = new Map(
          (await recordedPlatforms(journal, config)).map(({ platform, label }) => [platform, label]),
        );
        const found = [];
        for (const { platform, supplier } of await recordedSuppliers(journal, config)) {
          if (named !== undefined && supplier !== named) continue;
          const entry = await journal.find(platform, { supplier, account });
          if (entry !== undefined)
            found.push(
              await storyOf(journal, { platform, platformLabel: labels.get(platform) ?? platform, entry }),
            );
        }
        return found;
      })) ?? [],
  };
}
