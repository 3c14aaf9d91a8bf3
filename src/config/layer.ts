import { resolve } from 'node:path';
import { z } from 'zod';
import { definedFields } from '../domain/defined-fields.ts';
import { journalFrom } from '../domain/journal-name.ts';
import { isJsonObject } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import type { ConfigProblem } from './problem.ts';
import { keysOf, readOnce, schemaAt, type ParsedSettings, type SettingsSchema } from './schema.ts';

/** One source of settings. A missing setting comes from the layer below, or is the default. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>;
  /** Directory that its relative paths start from. */
  readonly base: string;
  /** Where the value at a path was written, for messages. */
  where(path: readonly PropertyKey[]): string;
  /** Whether that place already names the setting, as `--concurrency` does. */
  readonly isNamedByPlace?: true;
}

const pathKeys = [
  'mapping',
  'operator',
  'journalPasswordFile',
  'apiKeyFile',
  'tokenFile',
  'sourcePasswordFile',
] as const;
/** The same within groups. */
const innerPathKeys: Readonly<Record<string, readonly string[]>> = {
  log: ['file'],
  metrics: ['file'],
  notify: ['webhookFile'],
  tls: ['cert', 'key', 'ca'],
};
const credentialKeys = ['apiKeyFile', 'apiKeyCommand', 'tokenFile'] as const;

/** All problems of one layer by itself. */
export function problemsOf(schema: SettingsSchema, layer: Layer): ConfigProblem[] {
  const result = schema.safeParse(layer.values, readOnce);
  const problems = (result.error?.issues ?? []).flatMap((issue) => problemsOfIssue(schema, layer, issue));
  const credentials = credentialKeys.filter((key) => layer.values[key] !== undefined);
  const [, second] = credentials;
  if (second !== undefined)
    problems.push({
      where: layer.where([second]),
      detail: `keep one of ${credentials.join(' and ')}, which all name the same secret.`,
    });
  return problems;
}

function problemsOfIssue(schema: SettingsSchema, layer: Layer, issue: z.core.$ZodIssue): ConfigProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    const name = layer.isNamedByPlace === true ? '' : `${issue.path.join('.')} `;
    return [{ where: layer.where(issue.path), detail: `${name}${issue.message}.` }];
  }
  const known = keysOf(schemaAt(schema, issue.path));
  // The file's own two keys, which are not settings.
  if (issue.path.length === 0) known.push('profile', 'profiles');
  return issue.keys.map((key) => ({
    where: layer.where([...issue.path, key]),
    detail: unknownKey(issue.path, key, known),
  }));
}

function unknownKey(path: readonly PropertyKey[], key: string, known: readonly string[]): string {
  const secret = path.length === 0 ? secretRemedy(key) : undefined;
  if (secret !== undefined) return secret;
  const group = path.length === 0 ? '' : ` in ${path.join('.')}`;
  const others = known.filter((name) => name !== key);
  const meant = nearest(key, others) ?? others.find((name) => name.includes(key));
  const remedy = meant === undefined ? 'See .migraterc.example for all keys.' : `Did you mean "${meant}"?`;
  return `unknown key "${key}"${group}. ${remedy}`;
}

function secretRemedy(key: string): string | undefined {
  const name = key.toLowerCase().replaceAll(/[_-]/g, '');
  if (name === 'apikey')
    return `the secret "${key}" does not belong in this file. Name a file (apiKeyFile) or a command (apiKeyCommand) that gives it, or set MIGRATE_API_KEY.`;
  if (name === 'token' || name === 'accesstoken')
    return `the secret "${key}" does not belong in this file. Name a file that holds it (tokenFile), or set MIGRATE_TOKEN.`;
  return undefined;
}

/** Puts one layer over the one below. Groups are merged key by key; everything else is replaced. */
export function layOver(below: Readonly<Record<string, unknown>>, layer: Layer): Record<string, unknown> {
  const replaced: readonly string[] = [
    // The id below belongs to another address.
    ...('baseUrl' in layer.values ? ['platformId'] : []),
    ...(credentialKeys.some((key) => key in layer.values) ? credentialKeys : []),
  ];
  const merged = Object.fromEntries(Object.entries(below).filter(([key]) => !replaced.includes(key)));
  for (const [key, value] of Object.entries(layer.values)) {
    const lower = merged[key];
    merged[key] = isJsonObject(value) && isJsonObject(lower) ? { ...lower, ...value } : value;
  }
  if (typeof layer.values['journal'] === 'string')
    merged['journal'] = journalFrom(layer.base, layer.values['journal']);
  for (const key of pathKeys) {
    const path = layer.values[key];
    if (typeof path === 'string') merged[key] = resolve(layer.base, path);
  }
  const { contract } = layer.values;
  const files = Array.isArray(contract) ? contract : [contract];
  if (contract !== undefined)
    merged['contract'] = files.map((file: unknown) =>
      typeof file === 'string' ? resolve(layer.base, file) : file,
    );
  for (const [key, names] of Object.entries(innerPathKeys))
    for (const inner of names) {
      const group = layer.values[key];
      const path = isJsonObject(group) ? group[inner] : undefined;
      if (typeof path === 'string')
        merged[key] = { ...(merged[key] as object), [inner]: resolve(layer.base, path) };
    }
  return merged;
}

/** Groups whose keys are not plain values, and so can be set in the file only. */
const fileOnly: readonly string[] = ['rules', 'tokenMutation', 'readBack', 'currencies'];

/** Our variables that are not settings. */
const otherVariables: readonly string[] = [
  'MIGRATE_PROFILE',
  'MIGRATE_API_KEY',
  'MIGRATE_TOKEN',
  'MIGRATE_SOURCE_PASSWORD',
  'MIGRATE_NOTIFY_WEBHOOK',
  'MIGRATE_DASHBOARD_TOKEN',
];

/** The settings that are flags too: `timeZone` is --time-zone. */
const textFlags = [
  ...([
    'journal',
    'supplier',
    'mapping',
    'encoding',
    'delimiter',
    'team',
    'concurrency',
    'rate',
    'threads',
  ] as const),
  ...(['until', 'window', 'timeZone'] as const),
] as const satisfies readonly (keyof ParsedSettings)[];

/** Flags of the command line, as text where their values have one. Those that are not settings are ignored. */
export type SettingFlags = { readonly [Key in (typeof textFlags)[number]]?: string | undefined } & {
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
  const { contract, strictContract } = flags;
  const values: Record<string, unknown> = definedFields({ contract, strictContract });
  for (const key of textFlags) {
    const text = flags[key];
    if (text !== undefined) values[key] = valueOf(schemaAt(schema, [key]), text);
  }
  return {
    values,
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
