import { isJsonObject, parseJson, type JsonObject } from '../../domain/json.ts';
import { byteOrderMark, listHeader, meterPointsHeader, numbersHeader } from '../../report/csv-lists.ts';
import { problemColumns } from '../../report/problem-file.ts';

/** Whether a file with this beginning is of the kind that an output writes; an empty one is of every kind. */
export type OutputKind = (start: string) => boolean;

const beginsWith =
  (...beginnings: readonly string[]): OutputKind =>
  (start) =>
    beginnings.some((beginning) => start.replace(byteOrderMark, '').startsWith(beginning));

/** Of a first line that is longer than what was read, it is enough that it looks like JSON with these keys. */
const linesWith =
  (...keys: readonly string[]): OutputKind =>
  (start) => {
    const [first = '', ...more] = start.split('\n');
    const record = more.length === 0 ? undefined : objectOf(first);
    return record === undefined
      ? more.length === 0 && keys.every((key) => first.includes(`"${key}":`))
      : keys.every((key) => Object.hasOwn(record, key));
  };

function objectOf(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const problemsHeader = problemColumns.join(',');
/** As it was written before workbooks were read: a night must be able to overwrite the file of the night before. */
const formerHeader = 'account,step,code,path,detail,severity,file,line,column';
const csvProblems = beginsWith(
  ...[problemsHeader, formerHeader].flatMap((header) => [`${header}\n`, `${header},value\n`]),
);
const lineProblems = linesWith('type', 'code', 'severity', 'detail');

export const outputKinds = {
  problems: (start) => csvProblems(start) || lineProblems(start),
  numbers: beginsWith(numbersHeader),
  meterPoints: beginsWith(meterPointsHeader),
  list: beginsWith(listHeader(false).trimEnd()),
  report: (start) => start.startsWith('<!doctype html>') && start.includes('<title>Migration'),
  schema: (start) => start.includes('"$schema"'),
  plan: beginsWith('{"type":"plan",'),
  metrics: beginsWith('# HELP ', '# TYPE '),
  log: linesWith('level', 'time', 'event'),
} as const satisfies Readonly<Record<string, OutputKind>>;
