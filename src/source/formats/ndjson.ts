import { readNdjson } from '../ndjson.ts';
import type { JsonTable } from '../table.ts';
import { sampleRows, type Format } from './format.ts';
import { firstCharacter, jsonRecord, parsed, sampleOf } from './json-record.ts';

export const ndjson: Format<JsonTable> = {
  ...jsonRecord,

  async open(blocks, found) {
    const isEmpty = (await firstCharacter(blocks)) === '';
    return { ...found, format: 'ndjson', ...(isEmpty ? { isEmpty } : {}) };
  },

  rows: readNdjson,

  sample(start) {
    const lines = start.toString().split('\n').slice(0, sampleRows);
    return sampleOf(lines.flatMap((line) => parsed(line) ?? []));
  },
};
