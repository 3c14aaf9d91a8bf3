import { definedFields } from '../../domain/defined-fields.ts';
import { resolve } from 'node:path';
import { exitCodes } from '../../domain/exit-codes.ts';
import type { Problem } from '../../domain/problem.ts';
import { ProblemFile } from '../../report/problem-file.ts';
import { ProblemTally } from '../../report/problem-tally.ts';
import type { ProblemTotals } from '../../report/ending.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';

interface ProblemOutput {
  readonly problems?: string;
  /** Whether the values of cells are written too. */
  readonly values?: boolean;
  /** Whether a CSV begins with a byte order mark. */
  readonly bom?: boolean;
}

/** Where the problems of an export go: they are counted, shown, and written to the file of --problems. */
export class ProblemSink {
  readonly #tally = new ProblemTally();
  readonly #tell: (problem: Problem) => void;
  readonly #name: string | undefined;
  readonly #file: ProblemFile | undefined;

  /** Throws CannotStart if the file cannot be written. */
  constructor(
    environment: Pick<Environment, 'cwd'>,
    { problems: name, values = false, bom = false }: ProblemOutput,
    tell: (problem: Problem) => void,
  ) {
    this.#tell = tell;
    this.#name = name;
    if (name === undefined) return;
    const opened = ProblemFile.open(resolve(environment.cwd, name), { values, bom });
    if ('refusal' in opened) throw new CannotStart(exitCodes.usage, `--problems: ${opened.refusal}`);
    this.#file = opened;
  }

  add(problem: Problem): void {
    this.#tally.add(problem);
    this.#file?.add(problem);
    // The values of cells go only into files that were requested.
    const { value: _value, ...told } = problem;
    this.#tell(told);
  }

  /** Ends the file. `errors` say why it is missing, if it could not be written. */
  complete(): { readonly totals: ProblemTotals; readonly errors: readonly string[] } {
    const failure = this.#file?.complete();
    const totals = this.#tally.totals();
    if (failure !== undefined) return { totals, errors: [`--problems: ${failure}`] };
    return { totals: definedFields({ ...totals, file: this.#name }), errors: [] };
  }

  /** Call this in any case: removes what was not completed. */
  close(): void {
    this.#file?.close();
  }
}
