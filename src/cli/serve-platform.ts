import { definedFields } from '../domain/defined-fields.ts';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { addedSteps } from '../config/added-steps.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { whyNotListening } from '../domain/not-listening.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import type { StepName } from '../domain/steps.ts';
import {
  changeOperator,
  readOperator,
  readOperatorFile,
  type OperatorReading,
} from '../platform/read-operator.ts';
import type { OperatorConfig } from '../platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../platform/platform.ts';
import type { RequestLogEntry } from '../platform/request-log.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { readContract } from '../run/effective-rules.ts';
import type { Shell } from './shell.ts';

/** What decides on a platform to serve; files are relative to the working directory. */
interface ServedPlatform {
  readonly port: number;
  readonly state?: string;
  readonly operator?: string;
  readonly set?: readonly string[];
  readonly extended?: boolean;
  readonly control?: boolean;
  readonly contract?: readonly string[];
  readonly strictContract?: boolean;
  /** The steps of the profile, as JSON. */
  readonly steps?: string;
}

/** Starts the embedded platform. Throws CannotStart if its files, its settings or its port cannot be used. */
export async function servePlatform(
  shell: Shell,
  flags: ServedPlatform,
  log: (entry: RequestLogEntry) => void,
): Promise<RunningPlatform> {
  const { contract: named = [], strictContract = false } = flags;
  const files = named.map((file) => resolve(shell.cwd, file));
  const steps = flags.steps === undefined ? undefined : addedSteps.parse(JSON.parse(flags.steps));
  const contract = await readContract({ contract: files, strictContract, steps });
  const operator = operatorOf(shell, flags, contract);
  try {
    return await startPlatform({
      stateFile: flags.state === undefined ? ':memory:' : resolve(shell.cwd, flags.state),
      operator,
      contract,
      added: steps,
      clock: shell.clock,
      random: shell.random,
      port: flags.port,
      host: '127.0.0.1',
      isExtended: flags.extended ?? false,
      control: flags.control ?? false,
      log,
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CannotStart(exitCodes.usage, `Cannot listen on port ${flags.port}: ${whyNotListening(error)}`);
  }
}

/** The operator's settings: the file's, or the defaults, overridden by --set. */
function operatorOf(
  shell: Shell,
  flags: ServedPlatform,
  contract: TenancyContract | undefined,
): OperatorConfig {
  const { operator: file, set = [] } = flags;
  const change = operatorChange(set);
  const listed = decidedBy(contract);
  const base = file === undefined ? undefined : readOperatorFile(resolve(shell.cwd, file), listed);
  if (base?.ok === false) throw new CannotStart(exitCodes.usage, base.problems);
  return decided(changeOperator(base?.operator ?? decided(readOperator(listed)), change));
}

/** What a contract says about the operator's settings: the import suppliers and teams, if it lists them. */
function decidedBy(contract: TenancyContract | undefined): JsonObject {
  const listed = (step: StepName, field: string): readonly string[] | undefined =>
    contract?.at(step, field)?.values?.filter((value) => typeof value === 'string');
  const suppliers = listed('stage', 'import_supplier');
  const teams = listed('process', 'operations_team_name');
  return definedFields({
    suppliers: suppliers && Object.fromEntries(suppliers.map((code) => [code, {}])),
    teams: teams && [...teams],
  });
}

function decided(reading: OperatorReading): OperatorConfig {
  if (reading.ok) return reading.operator;
  throw new CannotStart(
    exitCodes.usage,
    reading.problems.map(({ detail }) => `--set: ${detail}`),
  );
}

/**
 * Reads each `--set key.path=value` into one merge patch, later ones overriding earlier ones; the value is YAML.
 * Throws CannotStart if one cannot be read.
 */
function operatorChange(texts: readonly string[]): JsonObject {
  return texts.reduce(withChange, {});
}

function withChange(before: JsonObject, text: string): JsonObject {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  if (at < 1 || path.includes(''))
    throw new CannotStart(exitCodes.usage, '--set: give a key and a value, such as process.cap=4.');
  return withValue(before, path, scalar(text.slice(0, at), text.slice(at + 1)));
}

function scalar(key: string, text: string): JsonValue {
  try {
    return parse(text) as JsonValue;
  } catch {
    throw new CannotStart(exitCodes.usage, `--set: the value of ${key} is not valid YAML. Put it in quotes.`);
  }
}

function withValue(
  target: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  const inner = target[name];
  const changed = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...target, [name]: changed };
}
