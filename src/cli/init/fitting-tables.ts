import type { Problem } from '../../domain/problem.ts';
import { guessTables, type GuessedTables } from '../../mapping/guess/table-guess.ts';
import type { FileSample } from '../../source/sample-file.ts';

/** A table that no mapping can read as it is, and why. */
export interface UnfitTable {
  readonly sample: FileSample;
  readonly problem: Problem;
}

/** Guesses the tables of samples, without those that `problemOf` refuses by the key that was guessed: they would be refused again. */
export async function fittingTables(
  samples: readonly FileSample[],
  problemOf: (sample: FileSample, key: string) => Promise<Problem | undefined>,
  asked?: string,
): Promise<GuessedTables & { readonly unfit: readonly UnfitTable[] }> {
  const unfit: UnfitTable[] = [];
  for (;;) {
    const left = samples.filter((sample) => unfit.every((table) => table.sample !== sample));
    const guessed = guessTables(left, asked);
    const found = await firstUnfit(left, guessed.tables, problemOf);
    if (found === undefined) return { ...guessed, unfit };
    unfit.push(found);
  }
}

async function firstUnfit(
  samples: readonly FileSample[],
  tables: GuessedTables['tables'],
  problemOf: (sample: FileSample, key: string) => Promise<Problem | undefined>,
): Promise<UnfitTable | undefined> {
  for (const { sample: guessed, key } of tables) {
    const sample = samples.find((one) => one === guessed);
    const problem = sample === undefined || key === undefined ? undefined : await problemOf(sample, key);
    if (sample !== undefined && problem !== undefined) return { sample, problem };
  }
  return undefined;
}
