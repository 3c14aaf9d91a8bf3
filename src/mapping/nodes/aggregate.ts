import { formatDecimal, parseDecimal, zero } from '../../domain/decimal.ts';
import { numberText, type JsonValue } from '../../domain/json.ts';
import { Fault } from '../convert.ts';
import type { Aggregate } from '../spec.ts';
import { areRowsUnknown, rowsOf, type RowsPlan } from './rows.ts';
import { withBehind, type Node } from './run.ts';

/** The exact sum of a value of all rows, empty without any; or how many rows have the value. */
export function aggregateNode(plan: RowsPlan, { of, convert }: Aggregate): Node {
  return {
    build(scope) {
      const rows = rowsOf(plan, scope);
      for (const { record } of rows) scope.run.claimed.add(record);
      if (areRowsUnknown(plan, scope)) scope.run.findings.push({ isList: false, path: '' });
      const values = rows.map((row) => plan.each.build(row)).filter((value) => value !== undefined);
      const result = of === 'count' ? String(values.length) : sumOf(values);
      const value = result === undefined ? undefined : convert(result);
      return value instanceof Fault ? result : value;
    },
    locate(scope, path) {
      const [first, ...others] = rowsOf(plan, scope).flatMap((row) => plan.each.locate(row, path) ?? []);
      return first && withBehind(first, others);
    },
  };
}

/** undefined without values, and where one is no number: that is reported at its cell. */
function sumOf(values: readonly JsonValue[]): string | undefined {
  const texts = values.map((value) => numberText(value) ?? '');
  const numbers = texts.map(parseDecimal);
  const sum = numbers.reduce(
    (total, number) => (total === undefined || number === undefined ? undefined : total.plus(number)),
    zero,
  );
  const places = texts.reduce((most, text) => Math.max(most, text.split('.')[1]?.length ?? 0), 0);
  return values.length === 0 || sum === undefined ? undefined : formatDecimal(sum, places);
}
