import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { defaultOperator } from '../../service/operator.ts';
import { startPlatform, type RunningPlatform } from '../../service/platform.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../cannot-start.ts';
import type { CommonFlags } from '../common-flags.ts';
import { conclude } from '../conclude.ts';
import type { Shell } from '../shell.ts';

export interface ServeFlags extends CommonFlags {
  readonly port: number;
  readonly state?: string;
  readonly attached?: boolean;
}

/** `migrate serve`: the embedded platform, until it is interrupted (or, attached, until its parent is gone). */
export function serveCommand(shell: Shell, flags: ServeFlags): Promise<ExitCode> {
  return conclude(shell, 'serve', flags, async (printer) => {
    const platform = await start(shell, flags);
    const { url, apiKey, platformId } = platform;
    printer.line(
      { type: 'listening', url, apiKey, platformId },
      `The embedded platform listens at ${url}\nIts API key is ${apiKey}`,
    );
    printer.info('Interrupt it to end it.');
    await ended(shell, flags);
    await platform.close();
    return { exit: exitCodes.done };
  });
}

async function start(shell: Shell, flags: ServeFlags): Promise<RunningPlatform> {
  try {
    return await startPlatform({
      stateFile: flags.state === undefined ? ':memory:' : resolve(shell.cwd, flags.state),
      operator: defaultOperator,
      clock: shell.clock,
      random: shell.random,
      port: flags.port,
      host: '127.0.0.1',
      log: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CannotStart(
      exitCodes.usage,
      `Cannot listen on port ${flags.port}: it is in use or not allowed. Name another one, or 0 for a free one.`,
    );
  }
}

/** A child ignores the interrupt that its terminal sends to parent and child alike: the parent still needs it. */
async function ended(shell: Shell, flags: ServeFlags): Promise<void> {
  if (flags.attached !== true) return new Promise((resolveEnd) => void shell.onInterrupt(resolveEnd));
  const stopIgnoring = shell.onInterrupt(() => undefined);
  await shell.inputEnded();
  stopIgnoring();
}
