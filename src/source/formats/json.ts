import type { JsonValue } from '../../domain/json.ts';
import { fileProblem } from '../fault.ts';
import { readJsonArray } from '../json-array.ts';
import type { JsonTable } from '../table.ts';
import { sampleRows, type Format } from './format.ts';
import { firstCharacter, jsonRecord, parsed, sampleOf } from './json-record.ts';

const notAnArray =
  'is not a JSON array. Put the records in [ and ], or rename it to .ndjson if it has one record per line.';

export const json: Format<JsonTable> = {
  ...jsonRecord,

  async open(blocks, found) {
    const { file } = found;
    if ((await firstCharacter(blocks)) === '[') return { ...found, format: 'json' };
    return { problem: fileProblem('not_an_array', file, `${file} ${notAnArray}`) };
  },

  rows: readJsonArray,

  sample: (start) => sampleOf(arrayStart(start.toString())),
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
