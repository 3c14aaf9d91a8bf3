import { Secret, type RunCommand } from './credentials.ts';
import type { Config } from './load-config.ts';
import type { ConfigProblem } from './problem.ts';

/**
 * Finds the password of a journal on a server: PGPASSWORD, then the file or the command that the configuration names. Undefined if there is
 * none: the driver then looks it up in the password file. A problem names the source and never its contents.
 */
export async function journalPassword(
  {
    journalPasswordFile: file,
    journalPasswordCommand: command,
  }: Pick<Config, 'journalPasswordFile' | 'journalPasswordCommand'>,
  env: Readonly<Record<string, string | undefined>>,
  runCommand: RunCommand,
  readFile: (file: string) => Promise<string>,
): Promise<Secret | ConfigProblem | undefined> {
  const variable = env['PGPASSWORD'];
  if (variable !== undefined && variable !== '') return new Secret(variable);
  if (file !== undefined) {
    try {
      return secretOf('journalPasswordFile', await readFile(file));
    } catch {
      return {
        where: 'journalPasswordFile',
        detail: `${file} cannot be read. Check that it exists and is readable by you.`,
      };
    }
  }
  if (command === undefined) return undefined;
  const { code, stdout } = await runCommand(command);
  if (code === 0) return secretOf('journalPasswordCommand', stdout);
  const end = code === null ? 'did not end by itself' : `ended with code ${code}`;
  return { where: 'journalPasswordCommand', detail: `the command ${end}. Run it by hand to see why.` };
}

/** A password may contain blanks; the end of its line is no part of it. */
function secretOf(where: string, text: string): Secret | ConfigProblem {
  const password = text.replace(/\r?\n$/, '');
  return password === '' ? { where, detail: 'is an empty secret.' } : new Secret(password);
}
