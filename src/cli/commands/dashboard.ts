import { CannotStart } from '../../host/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { whyNotListening } from '../../domain/not-listening.ts';
import type { Shell } from '../shell.ts';
import { startDashboard } from '../../dashboard/server.ts';
import { version } from '../../host/packaged.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { JournalNights } from '../journal-nights.ts';
import { randomBytes } from 'node:crypto';
import type { DashboardFlags } from '../usages/dashboard.ts';

const loopback = ['127.0.0.1', '::1', 'localhost'];
const tokenVariable = 'MIGRATE_DASHBOARD_TOKEN';
/** Shorter ones can be guessed. */
const leastToken = 16;

/** `migrate dashboard`: serves the state of the journal as a page until it is interrupted. Changes nothing. */
export async function dashboard(shell: Shell, flags: DashboardFlags): Promise<ExitCode> {
  return conclude(shell, 'dashboard', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { host } = flags;
    const token = tokenFor(shell, host);
    const source = await JournalNights.of(shell, config, flags);
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
function tokenFor({ env }: Shell, host: string): Token | undefined {
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
  return { text: randomBytes(24).toString('base64url'), isMade: true };
}
