import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { whyNotListening } from '../../domain/not-listening.ts';
import type { AnyCommand } from '../commander.ts';
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
  const { JournalNights } = await import('../journal-nights.ts');
  return conclude(shell, 'dashboard', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { host } = flags;
    const token = await tokenFor(shell, host);
    const source = await JournalNights.of(shell, config, givenFlags(flags));
    const options = {
      ...{ host, port: flags.port, clock: shell.clock, version: version() },
      ...{ source, token: token?.text },
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
    await source.end();
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
