import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import type { TenancyContract } from '../../contract/tenancy/tenancy-contract.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { StepName } from '../../domain/steps.ts';
import { changeOperator, readOperator, type OperatorReading } from '../../platform/operator-change.ts';
import { readOperatorFile } from '../../platform/operator-file.ts';
import type { OperatorConfig } from '../../platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../../platform/platform.ts';
import type { RequestLogEntry } from '../../platform/request-log.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { readContract } from '../../app/effective-rules.ts';
import { guardOutputs } from '../../app/output-files.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { operatorChange } from '../operator-change.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ServeFlags extends CommonFlags {
  readonly port: number;
  readonly state?: string;
  readonly operator?: string;
  readonly set?: readonly string[];
  readonly control?: boolean;
  readonly log?: string;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  readonly attached?: boolean;
}

/** `migrate serve`: runs the embedded platform until it is interrupted (or, attached, until its parent is gone). */
export function serveCommand(shell: Shell, flags: ServeFlags): Promise<ExitCode> {
  return conclude(shell, 'serve', flags, async (printer) => {
    await guardServe(shell, flags);
    const log = flags.log === undefined ? undefined : await openLog(resolve(shell.cwd, flags.log));
    const platform = await start(shell, flags, (entry) => log?.write(entry));
    const { url, apiKey, platformId } = platform;
    printer.line(
      { type: 'listening', url, apiKey, platformId },
      `The embedded platform listens at ${url}\nIts API key is ${apiKey}`,
    );
    printer.info('Interrupt it to stop it.');
    await ended(shell, flags);
    await platform.close();
    await log?.close();
    return { exit: exitCodes.done };
  });
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

async function start(
  shell: Shell,
  flags: ServeFlags,
  log: (entry: RequestLogEntry) => void,
): Promise<RunningPlatform> {
  const { contract: named = [], strictContract = false } = flags;
  const files = named.map((file) => resolve(shell.cwd, file));
  const contract = await readContract({ contract: files, strictContract });
  const operator = operatorOf(shell, flags, contract);
  try {
    return await startPlatform({
      stateFile: flags.state === undefined ? ':memory:' : resolve(shell.cwd, flags.state),
      operator,
      ...(contract === undefined ? {} : { contract }),
      clock: shell.clock,
      random: shell.random,
      port: flags.port,
      host: '127.0.0.1',
      control: flags.control ?? false,
      log,
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CannotStart(
      exitCodes.usage,
      `Cannot listen on port ${flags.port}: it is in use or not allowed. Name another port, or 0 for a free one.`,
    );
  }
}

/** The operator's settings: the file's, or the defaults, overridden by --set. */
function operatorOf(shell: Shell, flags: ServeFlags, contract: TenancyContract | undefined): OperatorConfig {
  const { operator: file, set = [] } = flags;
  const change = operatorChange(set);
  const base = file === undefined ? undefined : readOperatorFile(resolve(shell.cwd, file));
  if (base?.ok === false) throw new CannotStart(exitCodes.usage, base.problems);
  return decided(changeOperator(base?.operator ?? decided(readOperator(decidedBy(contract))), change));
}

/** What a contract says of the operator's decisions: the import suppliers and teams, where it lists them. */
function decidedBy(contract: TenancyContract | undefined): JsonObject {
  const listed = (step: StepName, field: string): readonly string[] | undefined =>
    contract?.at(step, field)?.values?.filter((value) => typeof value === 'string');
  const suppliers = listed('stage', 'import_supplier');
  const teams = listed('process', 'operations_team_name');
  return {
    ...(suppliers === undefined
      ? {}
      : { suppliers: Object.fromEntries(suppliers.map((code) => [code, {}])) }),
    ...(teams === undefined ? {} : { teams: [...teams] }),
  };
}

function decided(reading: OperatorReading): OperatorConfig {
  if (reading.ok) return reading.operator;
  throw new CannotStart(
    exitCodes.usage,
    reading.problems.map(({ detail }) => `--set: ${detail}`),
  );
}

interface Log {
  write(entry: RequestLogEntry): void;
  close(): Promise<void>;
}

function openLog(file: string): Promise<Log> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  return new Promise((resolveLog, reject) => {
    stream.on('error', () =>
      reject(new CannotStart(exitCodes.usage, `--log: ${file} cannot be written. Check the path.`)),
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
