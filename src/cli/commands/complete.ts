import { Command, type AnyCommand } from '../commander.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { candidates, type Names } from '../completion/candidates.ts';
import { helpTopics } from '../help-topics.ts';
import type { Shell } from '../shell.ts';
import type { Action } from '../usage.ts';

/** The hidden command that the scripts of `migrate completion` call. */
export function completeCommand({ shell, ended }: Action): AnyCommand {
  return new Command('complete').argument('[words...]').action(async (words, _flags, { parent }) => {
    if (parent !== null) ended(await complete(shell, parent, words));
  });
}

/**
 * `migrate complete`, which the scripts of `migrate completion` call: one candidate per line, with a tab before its
 * description. Loads code only for names that need it, because a person waits.
 */
async function complete(shell: Shell, program: AnyCommand, words: readonly string[]): Promise<ExitCode> {
  const found = await candidates(program, words, namesOf(shell));
  for (const { word, description } of found)
    shell.stdout.write(description === '' ? `${word}\n` : `${word}\t${description}\n`);
  return exitCodes.done;
}

function namesOf(shell: Shell): Names {
  return {
    suppliers: async (given) => (await suppliers(shell, given)).filter(isPlain),
    profiles: async (given) => {
      const { profileNames } = await import('../../config/profiles.ts');
      return (await profileNames(shell.cwd, given.get('--config'))).filter(isPlain);
    },
    topics: helpTopics,
  };
}

/** Those of the journal; a journal that cannot be opened has none. */
async function suppliers(shell: Shell, given: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const { resolveSettings } = await import('../resolve-settings.ts');
  const { recordedSuppliers } = await import('../recorded-suppliers.ts');
  const { journalOf } = await import('../../app/journal-of.ts');
  const { DatabaseRefused } = await import('../../domain/database-refused.ts');
  const flags = Object.fromEntries(
    ['config', 'profile', 'journal'].flatMap((name) => {
      const value = given.get(`--${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  try {
    const { supplier: _, ...config } = await resolveSettings(shell, { color: false, ...flags });
    const journal = await journalOf(shell, config).open({ create: false });
    try {
      return [...new Set((await recordedSuppliers(journal, config)).map((one) => one.supplier))];
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (error instanceof CannotStart || error instanceof DatabaseRefused) return [];
    throw error;
  }
}

/** Whether a shell takes a word unquoted, and no command takes it as an option. */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(word);
}
