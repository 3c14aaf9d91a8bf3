import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { whyUnwritten } from '../../domain/unwritten.ts';
import type { RequestLogEntry } from '../../platform/request-log.ts';
import type { Shell } from '../shell.ts';
import { servePlatform } from '../serve-platform.ts';
import { conclude } from '../conclude.ts';
import { resolveSettings } from '../conclude.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import type { ServeFlags } from '../usages/serve.ts';

/** `migrate serve`: runs the embedded platform until it is interrupted (or, attached, until its parent is gone). */
export async function serve(shell: Shell, flags: ServeFlags): Promise<ExitCode> {
  return conclude(shell, 'serve', flags, async (printer) => {
    await guardServe(shell, flags);
    const log = flags.log === undefined ? undefined : await openLog(resolve(shell.cwd, flags.log));
    const platform = await servePlatform(shell, await withContract(shell, flags), (entry) =>
      log?.write(entry),
    );
    const { url, apiKey, platformId } = platform;
    printer.line(
      { type: 'listening', url, apiKey, platformId },
      `The embedded platform listens at ${url}\nIts API key is ${apiKey}`,
    );
    printer.info('Press Ctrl-C to stop it.');
    await ended(shell, flags);
    await platform.close();
    await log?.close();
    return { exit: exitCodes.done };
  });
}

/** With the contract and the operator file of the settings, unless a parent has chosen them. */
async function withContract(shell: Shell, flags: ServeFlags): Promise<ServeFlags> {
  if (flags.attached === true) return flags;
  const { contract, strictContract, operator, steps } = await resolveSettings(shell, flags);
  return {
    ...definedFields({ operator }),
    ...flags,
    ...(strictContract && { strictContract }),
    ...(contract && { contract }),
    ...(steps && { steps: JSON.stringify(steps) }),
  };
}

/** The parent of an attached platform has chosen its files. */
async function guardServe(shell: Shell, flags: ServeFlags): Promise<void> {
  const { state, log, operator, attached } = flags;
  if (attached === true || (state === undefined && log === undefined)) return;
  const outputs = [
    { name: '--state', path: state, isState: true },
    { name: '--log', path: log },
  ];
  await guardOutputs(shell, await resolveSettings(shell, flags), outputs, { inputs: { operator } });
}

interface Log {
  write(entry: RequestLogEntry): void;
  close(): Promise<void>;
}

function openLog(file: string): Promise<Log> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  return new Promise((resolveLog, reject) => {
    stream.on('error', (error) =>
      reject(new CannotStart(exitCodes.usage, `--log: ${file} cannot be written: ${whyUnwritten(error)}`)),
    );
    stream.once('open', () =>
      resolveLog({
        write: ({ at, ...entry }) =>
          void stream.write(`${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`),
        close: () => new Promise((closed) => stream.end(closed)),
      }),
    );
  });
}

/** A child ignores the interrupt that its terminal sends to parent and child: the parent still needs it. */
async function ended(shell: Shell, flags: ServeFlags): Promise<void> {
  if (flags.attached !== true) return new Promise((resolveEnd) => void shell.onInterrupt(resolveEnd));
  const stopIgnoring = shell.onInterrupt(() => undefined);
  await shell.inputEnded();
  stopIgnoring();
}
