import { Fault, type Convert } from './convert.ts';

export const monthEnds = ['first', 'last'] as const;

/** Makes the first or the last day of its month of a date. */
export function monthEnd(end: (typeof monthEnds)[number], convert: Convert): Convert {
  return (raw) => {
    const date = convert(raw);
    if (date instanceof Fault || typeof date !== 'string') return date;
    const month = date.slice(0, 7);
    if (end === 'first') return `${month}-01`;
    const next = new Date(`${month}-01T00:00:00Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    next.setUTCDate(0);
    return next.toISOString().slice(0, 10);
  };
}
