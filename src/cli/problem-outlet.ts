import { resolve } from 'node:path';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Problem } from '../domain/problem.ts';
import { problemRecord } from '../report/json-records.ts';
import type { Printer } from '../report/printer.ts';
import { ProblemFile } from '../report/problem-file.ts';
import { ProblemTally, type ProblemTotals } from '../report/problem-tally.ts';
import { CannotStart } from './cannot-start.ts';
import type { Shell } from './shell.ts';

/** Where the problems of a command go: counted, printed for programs, and written to the file of --problems. */
export class ProblemOutlet {
  readonly #tally = new ProblemTally();
  readonly #printer: Printer;
  readonly #name: string | undefined;
  readonly #file: ProblemFile | undefined;

  /** Throws CannotStart where the file cannot be written. */
  constructor(shell: Shell, printer: Printer, name: string | undefined) {
    this.#printer = printer;
    this.#name = name;
    if (name === undefined) return;
    const opened = ProblemFile.open(resolve(shell.cwd, name));
    if ('refusal' in opened) throw new CannotStart(exitCodes.usage, `--problems: ${opened.refusal}`);
    this.#file = opened;
  }

  add(problem: Problem): void {
    this.#tally.add(problem);
    this.#file?.add(problem);
    this.#printer.line(problemRecord(problem));
  }

  /** Ends the file. `errors` say why it is not there, where it could not be written. */
  complete(): { readonly totals: ProblemTotals; readonly errors: readonly string[] } {
    const failure = this.#file?.complete();
    const totals = this.#tally.totals();
    if (failure !== undefined) return { totals, errors: [`--problems: ${failure}`] };
    return { totals: { ...totals, ...(this.#name === undefined ? {} : { file: this.#name }) }, errors: [] };
  }

  /** To be called in any case: what was not completed is taken away. */
  close(): void {
    this.#file?.close();
  }
}
