import type { CellValue } from '../domain/typed-value.ts';
import { textOf } from './condition.ts';
import { convertPhone, Fault } from './convert.ts';
import { countryOf } from './country-names.ts';
import type { ColumnSpec } from './spec.ts';

/**
 * Phone numbers whose country is in a column: of several columns the first that is not empty or, with `next`, the first that
 * is valid. Where the country is empty or not known, only numbers with their country's code are valid.
 */
export function phonesOfCountry(
  columns: readonly string[],
  country: string,
  mayLose: boolean,
  { shape = (raw) => raw, onInvalid }: Pick<ColumnSpec, 'shape' | 'onInvalid'>,
): Pick<ColumnSpec, 'columns' | 'gather'> {
  const international = (raw: CellValue, land: CellValue | undefined): CellValue | Fault => {
    const changed = shape(raw);
    if (changed === '' || changed instanceof Fault) return changed;
    const found = land === undefined ? [] : countryOf(land);
    const value = convertPhone(found.length === 1 ? found[0] : undefined, mayLose)(changed);
    return value instanceof Fault ? value : textOf(value);
  };
  return {
    columns: [...columns, country],
    gather(raws) {
      const land = raws[columns.length];
      let first: Fault | undefined;
      for (const [at, raw] of raws.slice(0, columns.length).entries()) {
        if (raw === undefined) continue;
        const value = international(raw, land);
        if (value === '') continue;
        if (!(value instanceof Fault)) return value;
        first ??= new Fault(value.code, value.detail, at);
        if (onInvalid !== 'next') break;
      }
      return first;
    },
  };
}
