import { dirname } from 'node:path';
import { isJsonObject } from '../domain/json.ts';
import { nearest } from '../domain/nearest.ts';
import type { ConfigFile } from './parse-config-file.ts';
import type { Layer } from './layer.ts';
import type { ConfigProblem } from './problem.ts';
import { readConfigFile } from './config-file.ts';

/** The parts of a configuration file. */
export interface Sections {
  /** Absolute path; absent if there is no file. */
  readonly file?: string;
  /** The top level; empty if there is no file. */
  readonly top: readonly Layer[];
  readonly profiles: ReadonlyMap<string, Layer>;
  /** Name of the profile in force unless another is selected. */
  readonly profile?: { readonly name: string; readonly where: string };
  readonly problems: readonly ConfigProblem[];
}

export const noSections: Sections = { top: [], profiles: new Map(), problems: [] };

/** Divides a configuration file into its parts. */
export function sectionsOf(file: ConfigFile): Sections {
  const { profile, profiles = {}, ...values } = file.values;
  const base = dirname(file.file);
  const problems: ConfigProblem[] = [];
  if (profile !== undefined && typeof profile !== 'string')
    problems.push({ where: file.where(['profile']), detail: 'profile must be the name of a profile.' });
  if (!isJsonObject(profiles))
    problems.push({ where: file.where(['profiles']), detail: 'profiles must contain profiles by name.' });
  const layers = Object.entries(isJsonObject(profiles) ? profiles : {}).map(([name, of]): [string, Layer] => {
    if (of !== null && !isJsonObject(of))
      problems.push({
        where: file.where(['profiles', name]),
        detail: `the profile "${name}" must contain keys.`,
      });
    return [
      name,
      {
        values: isJsonObject(of) ? of : {},
        base,
        where: (path) => file.where(['profiles', name, ...path]),
      },
    ];
  });
  return {
    file: file.file,
    top: [{ values, base, where: (path) => file.where(path) }],
    profiles: new Map(layers),
    ...(typeof profile === 'string' ? { profile: { name: profile, where: file.where(['profile']) } } : {}),
    problems,
  };
}

/** The selection; the profile in force, if any, is one more layer. */
type Choice =
  { readonly name?: string; readonly layers: readonly Layer[] } | { readonly problem: ConfigProblem };

interface Asked {
  readonly flag: string | undefined;
  readonly variable: string | undefined;
}

/** The profile in force: --profile, then MIGRATE_PROFILE, then the file's own choice. */
export function chooseProfile(sections: Sections, asked: Asked, cwd: string): Choice {
  const choice = askedFor(asked) ?? sections.profile;
  if (choice === undefined) return { layers: [] };
  const { name, where } = choice;
  const layer = sections.profiles.get(name);
  if (layer !== undefined) return { name, layers: [layer] };
  const place =
    sections.file === undefined
      ? `: no .migraterc was found in ${cwd} or above it.`
      : ` in ${sections.file}. ${remedyFor(name, [...sections.profiles.keys()])}`;
  return { problem: { where, detail: `there is no profile "${name}"${place}` } };
}

function askedFor({ flag, variable }: Asked): Sections['profile'] {
  if (flag !== undefined) return { name: flag, where: '--profile' };
  // cron and systemd write an empty value for "not set".
  return variable === undefined || variable === '' ? undefined : { name: variable, where: 'MIGRATE_PROFILE' };
}

function remedyFor(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return known.length === 0 ? 'It has no profiles.' : `Its profiles are ${known.join(', ')}.`;
}

/** The names of the profiles in a configuration; none if it cannot be read. */
export async function profileNames(cwd: string, named: string | undefined): Promise<readonly string[]> {
  const file = await readConfigFile(cwd, named);
  return file === undefined || 'problems' in file ? [] : [...sectionsOf(file).profiles.keys()];
}
