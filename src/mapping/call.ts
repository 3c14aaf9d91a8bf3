import { ExactNumber, isJsonObject, type JsonValue } from '../domain/json.ts';
import { Fault } from './convert.ts';
import type { Gather } from './spec.ts';

type Called = (...raws: readonly (JsonValue | undefined)[]) => unknown;

export function isFunction(value: unknown): value is Called {
  return typeof value === 'function';
}

/**
 * A value by a function of the mapping's own module: it is given what each column holds, undefined for an empty one,
 * and gives the value in the interface's own form, or nothing. What it throws may quote the cell, so only its kind is told.
 */
export function callOf(name: string, called: Called): Gather {
  return (raws) => {
    try {
      const value = called(...raws);
      if (value === undefined || value === null || value === '') return undefined;
      if (isJson(value)) return value;
      return new Fault(
        'call_failed',
        `The module's function ${name} gave what is no JSON value. Correct it there.`,
      );
    } catch (error) {
      const kind = error instanceof Error ? error.name : typeof error;
      return new Fault(
        'call_failed',
        `The module's function ${name} failed at this cell (${kind}). Correct the cell, or the function.`,
      );
    }
  };
}

function isJson(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'number') return Number.isFinite(value);
  if (isJsonObject(value))
    return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
  return value === null || ['string', 'boolean'].includes(typeof value) || value instanceof ExactNumber;
}
