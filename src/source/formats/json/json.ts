import { stringifyJson, type JsonValue } from '../../../domain/json.ts';
import { fileProblem } from '../../fault.ts';
import { sampleRows, type Format } from '../format.ts';
import { encodingText, textFormat } from '../text-format.ts';
import { readJsonArray } from './array.ts';
import { copiedElements } from './copied-elements.ts';
import { firstCharacter, jsonRecord, parsed, sampleOf } from './record.ts';

const notAnArray =
  'is not a JSON array. Put the records in [ and ], or rename it to .ndjson if it has one record per line.';

export const json: Format = {
  name: 'json',
  endings: ['.json'],

  ...textFormat({
    async open(blocks, found) {
      const { file } = found;
      if ((await firstCharacter(blocks)) === '[') return { ...found, format: 'json', isFlat: false };
      return { problem: fileProblem('not_an_array', file, `${file} ${notAnArray}`) };
    },
    rows: readJsonArray,
    sample: (start) => sampleOf(arrayStart(start.toString())),
    copied: (tables) => copiedElements(tables, json),
  }),

  ...jsonRecord,

  described: (table) => `JSON array, ${encodingText(table)}`,

  writing: {
    ending: '.json',
    write: (rows) => ({
      text: `[\n${rows.map((row) => stringifyJson(row)).join(',\n')}\n]\n`,
      lines: rows.map((_row, at) => at + 2),
    }),
  },
};

/** The elements of an array whose end may be missing: the complete ones, found from the end backwards. */
function arrayStart(text: string): JsonValue[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole.slice(0, sampleRows);
  let end = text.length;
  for (let tries = 0; tries < 50; tries += 1) {
    end = text.lastIndexOf('}', end - 1);
    if (end === -1) break;
    const part = parsed(`${text.slice(0, end + 1)}]`);
    if (Array.isArray(part)) return part.slice(0, sampleRows);
  }
  return [];
}
