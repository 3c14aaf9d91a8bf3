import { stringifyJson } from '../../../domain/json.ts';
import { copiedLines } from '../copied-rows.ts';
import { sampleRows, type Format } from '../format.ts';
import { encodingText, textFormat } from '../text-format.ts';
import { readNdjson } from './lines.ts';
import { recordWithReason } from './reason.ts';
import { firstCharacter, jsonRecord, parsed, sampleOf } from './record.ts';

export const ndjson: Format = {
  name: 'ndjson',
  endings: ['.ndjson', '.jsonl'],

  ...textFormat({
    async open(blocks, found) {
      const isEmpty = (await firstCharacter(blocks)) === '';
      return { ...found, format: 'ndjson', isFlat: false, ...(isEmpty ? { isEmpty } : {}) };
    },
    rows: readNdjson,
    sample(start) {
      const lines = start.toString().split('\n').slice(0, sampleRows);
      return sampleOf(lines.flatMap((line) => parsed(line) ?? []));
    },
    copied: (tables) =>
      copiedLines(tables, ndjson, { row: (text, _row, reason) => recordWithReason(text, reason) }),
  }),

  ...jsonRecord,

  described: (table) => `NDJSON, ${encodingText(table)}`,

  writing: {
    ending: '.ndjson',
    write: (rows) => ({
      text: rows.map((row) => `${stringifyJson(row)}\n`).join(''),
      lines: rows.map((_row, at) => at + 1),
    }),
  },
};
