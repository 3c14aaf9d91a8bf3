import type { Cell } from '../domain/cell.ts';
import type { Condition } from './condition.ts';
import { textOf } from './condition.ts';
import { Fault, type Convert } from './convert.ts';
import type { Node } from './nodes/run.ts';
import type { ValuePlan } from './nodes/value.ts';
import type { Watch } from './plan.ts';
import type { ColumnSpec } from './spec.ts';

/** Codes of what a mapping says to no effect. */
const unfilled = 'unfilled_field';
const neverUsed = 'never_used';

/** A value that records whether it is ever filled, and whether its default is ever used. */
export function watchedValue(node: Node, { origin, fallback }: ColumnSpec, watch: Watch): Node {
  const filled = watch.expect(
    origin,
    unfilled,
    'No account has a value for this field. Correct the column, or remove the line.',
  );
  const defaulted =
    fallback?.origin === undefined
      ? undefined
      : watch.expect(
          fallback.origin,
          neverUsed,
          'The default is never used: no cell is empty. Remove it, or check the column.',
        );
  let isDefaulted = false;
  return {
    build(scope) {
      const value = node.build(scope);
      if (value === undefined) return value;
      filled();
      if (defaulted !== undefined && !isDefaulted && value === fallback?.value) {
        isDefaulted = node.locate(scope, []) === fallback.origin;
        if (isDefaulted) defaulted();
      }
      return value;
    },
    locate: (scope, path) => node.locate(scope, path),
  };
}

/** The changes and the conversion of a value, which record whether they ever have an effect. */
export function watchedChanges(
  { shape, codes, onInvalid, origin }: ColumnSpec,
  convert: Convert,
  watch: Watch,
): Pick<ValuePlan, 'convert' | 'shape'> {
  // The changes of a key are there for the numbers of other tables.
  const isKey = origin?.column === 'account.external_account_number';
  const changed =
    shape === undefined || isKey
      ? undefined
      : watch.expect(
          origin,
          neverUsed,
          'The changes to the text (such as trim or replace) change nothing. Remove them.',
        );
  const invalid =
    onInvalid === undefined
      ? undefined
      : watch.expect(
          origin,
          neverUsed,
          'on_invalid is never needed: every value can be converted. Remove it.',
        );
  const used = new Map(
    [...(codes ?? [])].map(([code, line]) => [
      code,
      watch.expect(line, neverUsed, 'No cell has this code. Remove it, or correct it.'),
    ]),
  );
  return {
    convert(raw) {
      used.get(textOf(raw))?.();
      const value = convert(raw);
      if (value instanceof Fault) invalid?.();
      return value;
    },
    ...(shape === undefined
      ? {}
      : {
          shape(raw) {
            const value = shape(raw);
            if (value instanceof Fault) invalid?.();
            if (value !== raw) changed?.();
            return value;
          },
        }),
  };
}

/** A condition that records whether it ever matches. */
export function watchedCondition(holds: Condition, origin: Cell | undefined, watch: Watch): Condition {
  const matched = watch.expect(
    origin,
    neverUsed,
    'This condition never matches. Correct it, or remove what it selects.',
  );
  return (raw) => {
    const isMatched = holds(raw);
    if (isMatched === true) matched();
    return isMatched;
  };
}
