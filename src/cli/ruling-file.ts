import { resolve } from 'node:path';
import { CannotStart } from '../host/cannot-start.ts';
import { readNamedList } from '../host/read-named-file.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { parseStepName, stepNames, type StepName } from '../domain/steps.ts';
import type { Ruling } from '../pipeline/account/rulings.ts';
import type { RulingColumn } from '../report/csv-lists.ts';
import { parseCsv } from '../source/formats/csv/parsing.ts';
import { lineEndsIn } from '../source/physical-lines.ts';
import type { Shell } from './shell.ts';

/** Why a ruling as skip of another step than process is refused. */
export const skipIsOfProcess =
  "skip says that the account itself is somebody else's. Use it with the step process, or rule done or repeat.";

/** A line of a file of rulings that has a ruling. */
export interface RulingRow {
  /** In the file, from 1. */
  readonly line: number;
  readonly account: string;
  /** Absent if the file does not say it. */
  readonly supplier?: string | undefined;
  readonly step: StepName;
  /** From 1; absent: all parts of the step. */
  readonly part?: number | undefined;
  readonly as: Ruling['as'];
  /** The account number that the platform gave. */
  readonly number?: string | undefined;
}

/** What is wrong with a line. */
export interface RulingFault {
  readonly line: number;
  readonly detail: string;
}

export interface RulingFile {
  readonly rows: readonly RulingRow[];
  /** Lines without a ruling. */
  readonly blank: number;
  readonly faults: readonly RulingFault[];
}

const needed = ['account', 'step', 'ruling'] as const;

/**
 * Reads a file of rulings (`report/csv-lists.ts`), in any order of columns, separated by a comma, a semicolon or a
 * tab, as spreadsheets save them. Throws CannotStart if it is not such a file.
 */
export async function readRulingFile(shell: Shell, file: string): Promise<RulingFile> {
  const bytes = Buffer.from(await readNamedList('The file of rulings', resolve(shell.cwd, file)));
  const refuse = (why: string): never => {
    throw new CannotStart(exitCodes.usage, `${file}: ${why}`);
  };
  const { records, wrong } = parseCsv(bytes, { delimiter: delimiterOf(bytes) });
  let [at, line] = [0, 1];
  const lineOf = (start: number): number => {
    line += lineEndsIn(bytes, at, start);
    at = start;
    return line;
  };
  const [header, ...lines] = records.map(({ cells, start }) => ({ cells: [...cells], line: lineOf(start) }));
  if (wrong !== undefined)
    refuse(`line ${lineOf(wrong.start)} has a quote that is not closed. Save the file as CSV again.`);
  const names = header?.cells.map((name) => name.trim()) ?? [];
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0)
    refuse(
      `${missing.length === 1 ? 'the column' : 'the columns'} ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. Use a file that \`migrate list --csv\` wrote, and keep its first line.`,
    );
  const rows: RulingRow[] = [];
  const faults: RulingFault[] = [];
  let blank = 0;
  for (const record of lines) {
    const read = readRow(record.line, (name) => record.cells[names.indexOf(name)]?.trim() ?? '');
    if (read === undefined) blank += 1;
    else if ('detail' in read) faults.push(read);
    else rows.push(read);
  }
  return { rows, blank, faults };
}

function delimiterOf(bytes: Buffer): string {
  const first = bytes.toString('utf8').split(/\r|\n/, 1)[0] ?? '';
  return [',', ';', '\t'].find((one) => first.includes(one)) ?? ',';
}

/** Undefined if the line has no ruling. */
function readRow(line: number, cell: (name: RulingColumn) => string): RulingRow | RulingFault | undefined {
  const fault = (detail: string): RulingFault => ({ line, detail });
  const word = cell('ruling');
  if (word === '') return undefined;
  const as = word.toLowerCase();
  if (as !== 'done' && as !== 'repeat' && as !== 'skip')
    return fault(
      `The ruling '${word}' is none of done, repeat and skip. Enter one of them, or leave it empty.`,
    );
  const account = cell('account');
  if (account === '') return fault('The column account is empty. Enter the external account number.');
  const step = parseStepName(cell('step'));
  if (step === undefined)
    return fault(
      cell('step') === ''
        ? `No step of ${account} is uncertain, so there is nothing to rule on. Clear the ruling.`
        : `There is no step '${cell('step')}'. Steps are ${stepNames.join(', ')}.`,
    );
  const [part, number, supplier] = [cell('part'), cell('number'), cell('supplier')];
  if (!/^(?:[1-9]\d{0,9})?$/.test(part))
    return fault(
      `The part '${part}' is not a whole number of at least 1. Enter one, or leave it empty for all parts.`,
    );
  if (number !== '' && !(step === 'process' && as === 'done'))
    return fault('Only a ruling of process as done takes a number. Clear it.');
  return {
    line,
    account,
    step,
    as,
    supplier: supplier || undefined,
    part: part === '' ? undefined : Number(part),
    number: number || undefined,
  };
}
