import { besideJournal, journalFrom } from '../domain/journal-name.ts';
import { isJsonObject } from '../domain/json.ts';
import { readConfigFile } from './config-file.ts';
import {
  environmentLayer,
  flagLayer,
  layOver,
  problemsOf,
  unknownVariables,
  type Layer,
  type SettingFlags,
} from './layer.ts';
import type { ConfigProblem, ConfigProblems } from './problem.ts';
import { chooseProfile, noSections, sectionsOf } from './profiles.ts';
import { readOnce, settingsSchema, type ParsedSettings, type SettingsSchema } from './schema.ts';

/** All settings in force, checked. Contains no secret; paths are absolute. */
export interface Config extends ParsedSettings {
  /** The directory of what belongs to the journal and is not in it. */
  readonly workDirectory: string;
  /** The configuration file that was read; absent if there is none. */
  readonly file?: string | undefined;
  /** The `platformId` of the file's top level, where that says `unattended`: the profile and the environment may name another. */
  readonly meantPlatformId?: string | undefined;
  /** The profile in force. */
  readonly profile?: string | undefined;
  /** The platform's address is from a configuration file that was found, and that nobody named. */
  readonly isAddressFound?: boolean;
  /** The same of the journal's address. */
  readonly isJournalFound?: boolean;
  /** The same of the mapping, which may have the address of a database, and of `sourceUrl`. */
  readonly isSourceFound?: boolean;
  /** Whether `readBack` is set: without it, no run reads accounts back. */
  readonly isReadBackGiven?: boolean;
}

/** The flags that decide the settings. */
export type ConfigFlags = SettingFlags & {
  /** A file that must exist. */
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
};

export interface ConfigInput {
  /** false: only the file that --config names is read. */
  readonly search?: boolean;
  /** Settings in the form of the file, over all others. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: ConfigFlags;
  /** Codes of the business rules, the only keys that `rules` knows. */
  readonly ruleCodes: Iterable<string>;
}

/**
 * Flags override the environment, then the profile, then the file's top level, then the defaults. Every source is
 * checked by itself, including profiles that are not in force, and all problems are reported at once.
 */
export async function loadConfig(input: ConfigInput): Promise<Config | ConfigProblems> {
  const { cwd, env } = input;
  const { config: named, profile: asked } = input.flags;
  const schema = settingsSchema(input.ruleCodes);
  const isRead = named !== undefined || input.search !== false;
  const file = isRead ? await readConfigFile(cwd, named) : undefined;
  if (file !== undefined && 'problems' in file) return file;

  const sections = file === undefined ? noSections : sectionsOf(file);
  const over = [
    environmentLayer(schema, env, cwd),
    flagLayer(schema, input.flags, cwd),
    ...(input.settings === undefined ? [] : [givenLayer(input.settings, cwd)]),
  ];
  const chosen = chooseProfile(sections, { flag: asked, variable: env['MIGRATE_PROFILE'] }, cwd);
  const layers = [...sections.top, ...sections.profiles.values(), ...over];
  const problems = [
    ...sections.problems,
    ...unknownVariables(schema, env),
    ...layers.flatMap((layer) => problemsOf(schema, layer)),
    ...('problem' in chosen ? [chosen.problem] : []),
  ];
  if (problems.length > 0 || 'problem' in chosen) return { problems: problems.sort(inLineOrder) };

  const inForce = [...sections.top, ...chosen.layers, ...over];
  const settings = settle(schema, inForce, cwd);
  if (settings.retry.capMs < settings.retry.baseMs)
    return { problems: [{ where: 'retry', detail: 'capMs must not be less than baseMs.' }] };
  const isFound = (setting: string): boolean =>
    named === undefined && file !== undefined && over.every(({ values }) => values[setting] === undefined);
  const above = [...chosen.layers, ...over].some(({ values }) => values['unattended'] !== undefined);
  const top = above ? {} : (sections.top[0]?.values ?? {});
  return {
    ...settings,
    ...(typeof top['platformId'] === 'string' ? { meantPlatformId: top['platformId'] } : {}),
    file: file?.file,
    profile: chosen.name,
    isAddressFound: isFound('baseUrl'),
    isJournalFound: isFound('journal'),
    isSourceFound: isFound(settings.sourceUrl === undefined ? 'mapping' : 'sourceUrl'),
    isReadBackGiven: inForce.some(({ values }) => values['readBack'] !== undefined),
  };
}

/** Settings that a program passes. */
function givenLayer(settings: Readonly<Record<string, unknown>>, cwd: string): Layer {
  return { values: present(settings), base: cwd, where: (path) => ['settings', ...path].join('.') };
}

/** A program may pass undefined for an omitted setting. */
function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, isJsonObject(value) ? present(value) : value]),
  );
}

function inLineOrder(a: ConfigProblem, b: ConfigProblem): number {
  return a.where.localeCompare(b.where, 'en', { numeric: true });
}

function settle(
  schema: SettingsSchema,
  layers: readonly Layer[],
  cwd: string,
): ParsedSettings & Pick<Config, 'workDirectory'> {
  const { journal: named, ...others } = layers.reduce<Record<string, unknown>>(layOver, {});
  const settings = schema.parse(others, readOnce);
  // Each layer was checked. What a name must not begin with, a directory may.
  const journal = typeof named === 'string' ? named : journalFrom(cwd, settings.journal);
  return { ...settings, journal, workDirectory: besideJournal(cwd, journal) };
}
