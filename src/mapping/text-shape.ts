import type { JsonValue } from '../domain/json.ts';

/** The changes to a text before it is converted. */
export interface TextShape {
  readonly trim?: boolean | undefined;
  readonly split?: string | undefined;
  readonly take?: string | undefined;
  readonly case?: 'upper' | 'lower' | 'title' | undefined;
}

/** The pieces of a text to take: one by its number from 1, or those at an end. */
export const takePattern = /^(?:first|last|but_first|but_last|[1-9]\d?)$/;

/** The requested change, or undefined if there is none. A value that is not text is not changed. */
export function textShape(shape: TextShape): ((raw: JsonValue) => JsonValue) | undefined {
  const { split, take } = shape;
  const steps: ((text: string) => string)[] = [];
  if (shape.trim === true) steps.push((text) => text.trim());
  if (split !== undefined && take !== undefined) steps.push((text) => pieces(text, split, take));
  if (shape.case !== undefined) steps.push(cases[shape.case]);
  if (steps.length === 0) return undefined;
  return (raw) => (typeof raw === 'string' ? steps.reduce((text, step) => step(text), raw) : raw);
}

const cases = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  title: (text: string) =>
    text.replace(
      /(\p{L})([\p{L}\p{M}]*)/gu,
      (_word, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
    ),
};

function pieces(text: string, split: string, take: string): string {
  const all = text.split(split);
  switch (take) {
    case 'first':
      return all[0]?.trim() ?? '';
    case 'last':
      return all.at(-1)?.trim() ?? '';
    case 'but_first':
      return all.slice(1).join(split).trim();
    case 'but_last':
      return all.slice(0, -1).join(split).trim();
    default:
      return all[Number(take) - 1]?.trim() ?? '';
  }
}
