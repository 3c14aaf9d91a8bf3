import { z } from 'zod';
import { nearest } from '../domain/nearest.ts';
import type { Layer } from './layer.ts';
import type { ConfigProblem } from './problem.ts';
import { keysOf, schemaAt, type Settings, type SettingsSchema } from './schema.ts';

/** Groups whose keys are not plain values, and so can be set in the file only. */
const fileOnly: readonly string[] = ['rules', 'tokenMutation'];

/** Our variables that are not settings. */
const otherVariables: readonly string[] = [
  'MIGRATE_PROFILE',
  'MIGRATE_API_KEY',
  'MIGRATE_TOKEN',
  'MIGRATE_SOURCE_PASSWORD',
  'MIGRATE_NOTIFY_WEBHOOK',
  'MIGRATE_DASHBOARD_TOKEN',
];

type FlagKey = Exclude<
  keyof Settings,
  'rules' | 'tokenMutation' | 'retry' | 'patience' | 'timeouts' | 'log' | 'metrics' | 'notify'
>;

/** Flags whose values are no text. */
type Given = 'contract' | 'strictContract';

/** Settings given on the command line, as text: `concurrency` is --concurrency. Never a secret. */
export type SettingFlags = { readonly [Key in Exclude<FlagKey, Given>]?: string | undefined } & {
  readonly contract?: readonly string[] | undefined;
  readonly strictContract?: boolean | undefined;
};

/** The layer of the environment: `MIGRATE_BASE_URL` is baseUrl, `MIGRATE_RETRY_ATTEMPTS` is retry.attempts. */
export function environmentLayer(schema: SettingsSchema, env: NodeJS.ProcessEnv, cwd: string): Layer {
  const values: Record<string, unknown> = {};
  for (const path of plainPaths(schema)) {
    const text = env[variableFor(path)];
    // cron and systemd write an empty value for "not set".
    if (text === undefined || text === '') continue;
    const [key = '', inner] = path;
    const value = valueOf(schemaAt(schema, path), text);
    if (inner === undefined) values[key] = value;
    else values[key] = { ...(values[key] as object | undefined), [inner]: value };
  }
  return { values, base: cwd, where: variableFor, isNamedByPlace: true };
}

/** Variables that look like settings, and that nothing reads. */
export function unknownVariables(schema: SettingsSchema, env: NodeJS.ProcessEnv): ConfigProblem[] {
  const known = [...plainPaths(schema).map(variableFor), ...otherVariables];
  return Object.keys(env)
    .filter((name) => name.startsWith('MIGRATE_') && env[name] !== '' && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      const remedy =
        meant === undefined ? 'See .migraterc.example for all of them.' : `Did you mean ${meant}?`;
      return { where: name, detail: `no setting has this name. ${remedy}` };
    });
}

/** The layer of the command line. */
export function flagLayer(schema: SettingsSchema, flags: SettingFlags, cwd: string): Layer {
  const values = Object.entries(flags).flatMap(([key, given]) => {
    if (given === undefined) return [];
    return [[key, typeof given === 'string' ? valueOf(schemaAt(schema, [key]), given) : given] as const];
  });
  return {
    values: Object.fromEntries(values),
    base: cwd,
    where: ([key]) => `--${worded(String(key), '-')}`,
    isNamedByPlace: true,
  };
}

function plainPaths(schema: SettingsSchema): string[][] {
  return keysOf(schema)
    .filter((key) => !fileOnly.includes(key))
    .flatMap((key) => {
      const inner = schemaAt(schema, [key]);
      return inner instanceof z.ZodObject ? keysOf(inner).map((name) => [key, name]) : [[key]];
    });
}

function variableFor(path: readonly PropertyKey[]): string {
  return ['MIGRATE', ...path.map((key) => worded(String(key), '_').toUpperCase())].join('_');
}

/** `baseUrl` as separate words: base-url. */
function worded(key: string, between: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `${between}${letter.toLowerCase()}`);
}

/** The value of a text for a setting: itself, or the number or boolean that it spells. */
function valueOf(schema: z.ZodType | undefined, text: string): unknown {
  if (schema === undefined || schema.safeParse(text).success) return text;
  if (/^\d+$/.test(text)) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text;
}
