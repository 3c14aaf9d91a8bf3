import { readConfigFile } from './config-file.ts';
import { sectionsOf } from './profiles.ts';

/** The names of the profiles in a configuration; none if it cannot be read. */
export async function profileNames(cwd: string, named: string | undefined): Promise<readonly string[]> {
  const file = await readConfigFile(cwd, named);
  return file === undefined || 'problems' in file ? [] : [...sectionsOf(file).profiles.keys()];
}
