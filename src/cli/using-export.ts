import { CannotStart } from '../host/cannot-start.ts';
import type { PlacedExport } from '../run/reading/place-export.ts';
import { paragraph } from '../report/paragraph.ts';
import type { CommandResult } from '../report/printer.ts';

interface Used {
  readonly result: CommandResult;
  /** Whether cells of the export have problems. */
  readonly hasProblems: boolean;
  /** Requests of a run that sent its accounts. */
  readonly requests?: number;
}

/**
 * A command's work with an export, which is closed then. If rows of a snapshot have problems, the command also says when they were
 * read, and how to read them again: they do not change with the database.
 */
export async function usingExport(placed: PlacedExport, work: () => Promise<Used>): Promise<CommandResult> {
  let used: Used;
  try {
    used = await work();
  } catch (error) {
    await placed.close();
    const age = placed.age();
    if (!(error instanceof CannotStart) || error.problems.length === 0 || age === undefined) throw error;
    throw new CannotStart(error.exit, [...error.lines, age], error.problems, error.code);
  }
  await placed.close(used.requests);
  const { result, hasProblems } = used;
  const age = hasProblems ? placed.age() : undefined;
  const { text } = result;
  if (age === undefined || text === undefined) return result;
  return { ...result, text: (page) => `${text(page)}\n${paragraph(page, age)}` };
}
