import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptIndexes } from '../../../src/source/kept-indexes.ts';
import type { OpenedExport } from '../../../src/source/opened-export.ts';
import { directoryWith, key, table } from '../temporary-export.ts';
import { night } from './night.ts';

const specs = [table('accounts.csv'), table('meters.ndjson', { key: 'account' }), table('notes.csv')];
const numbers = Array.from({ length: 12 }, (_, at) => `A${String(at + 10)}`);
const meter = (account: string, more = 0) => `${JSON.stringify({ account, meter: more })}\n`;
const whole = {
  'accounts.csv': `${key},name\n${numbers.map((number) => `${number},Ada\n`).join('')}`,
  'meters.ndjson': numbers.map((number, at) => meter(number).repeat(at % 3)).join(''),
  'notes.csv': `${key},body\n${numbers.map((number) => `${number},"one\ntwo"\n${number},x\n`).join('')}`,
};
type Name = keyof typeof whole;
type Edit = readonly [file: Name, (text: string) => string];

/** Adds rows before an account. */
const before =
  (account: string, rows: string) =>
  (text: string): string =>
    text.replace(new RegExp(`^.*${account}`, 'm'), (found) => rows + found);
const replaced = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const without = (account: string): Edit[] => [
  ['accounts.csv', replaced(`${account},Ada\n`, '')],
  ['meters.ndjson', replaced(new RegExp(`(?:.*${account}.*\n)*`), '')],
  ['meters.ndjson', (text) => text.replaceAll(new RegExp(`.*${account}.*\n`, 'g'), '')],
  ['notes.csv', replaced(`${account},"one\ntwo"\n${account},x\n`, '')],
];
const ended = (more: string) => (text: string) => text + more;

const edits: readonly (readonly [string, readonly Edit[]])[] = [
  ['as they were', []],
  ['a row of the first account', [['notes.csv', replaced('A10,x', 'A10,y')]]],
  ['a row at the beginning of a block', [['notes.csv', replaced('A14,"one', 'A14,"two')]]],
  ['a row within a block', [['notes.csv', replaced('A15,x', 'A15,y')]]],
  ['a longer row within a block', [['notes.csv', replaced('A15,x', 'A15,"x\n\ny"')]]],
  ['a row of the last account', [['notes.csv', replaced('A21,x', 'A21,y')]]],
  ['a row that is added to the last account of a block', [['notes.csv', before('A14', 'A13,late\n')]]],
  ['an empty row there', [['notes.csv', before('A14', '\n')]]],
  ['a row that is added to the first account of a block', [['notes.csv', before('A14', 'A14,early\n')]]],
  ['a row of one file alone at the end of a block', [['meters.ndjson', before('A14', meter('A13', 7))]]],
  ['a row at the end of a file', [['notes.csv', ended('A21,late\n')]]],
  ['a row at the end of another file', [['meters.ndjson', ended(meter('A21', 7))]]],
  ['a row of an earlier account at the end of a file', [['meters.ndjson', replaced(/.*A21[^]*/, '')]]],
  ['no row of a file any more', [['meters.ndjson', () => '']]],
  ['a new first account', [['accounts.csv', before('A10', 'A09,Ada\n')]]],
  ['a new account between blocks', [['accounts.csv', before('A14', 'A13-1,Ada\n')]]],
  ['a new account within a block', [['accounts.csv', before('A15', 'A14-1,Ada\n')]]],
  ['a new last account', [['accounts.csv', ended('A22,Ada\n')]]],
  ['many new accounts', [['accounts.csv', before('A14', Array.from({ length: 9 }, (_, at) => `A13-${at},Ada\n`).join(''))]]],
  ['no first account', without('A10')],
  ['an account less at the beginning of a block', without('A14')],
  ['an account less at the end of a block', without('A15')],
  ['a whole block less', [...without('A14'), ...without('A15')]],
  ['no last account', without('A21')],
  ['an account that only a child has', [['accounts.csv', replaced('A14,Ada\n', '')]]],
  ['an orphan at the end', [['notes.csv', ended('A99,x\n')]]],
  ['an orphan between blocks', [['notes.csv', before('A14', 'A13-9,x\n')]]],
  ['a row with a fault within a block', [['notes.csv', replaced('A15,x', 'A15,x"y"')]]],
  ['a row with a fault before a block', [['notes.csv', before('A14', 'A13,"x"y\n')]]],
  ['a row with a fault at the beginning of a block', [['notes.csv', replaced('A14,"one\ntwo"', 'A14,"one\ntwo"x')]]],
  ['a row of too many cells', [['notes.csv', replaced('A14,"one', 'A14,,"one')]]],
  ['a row without an account', [['notes.csv', before('A14', ',x\n')]]],
  ['an element that is no JSON', [['meters.ndjson', before('A14', '{"account":"A13",x}\n')]]],
  ['a sign that is told of', [['notes.csv', replaced('A14,x', 'A14,=“1”')]]],
  ['a row that is cut off', [['notes.csv', replaced(/A21,x\n$/, 'A21,"x')]]],
  ['a file without its last line end', [['notes.csv', replaced(/\n$/, '')]]],
  ['a file with further line ends', [['notes.csv', ended('\n\n')]]],
  ['a file with an end mark', [['notes.csv', ended('\u001a')]]],
  ['a file with other line ends', [['notes.csv', (text) => text.replaceAll('\n', '\r\n')]]],
  ['a line that ends with CR alone', [['notes.csv', before('A14', 'A13,x\r')]]],
  ['a file with a byte order mark', [['notes.csv', (text) => `\ufeff${text}`]]],
  ['another header', [['notes.csv', replaced('body', 'text')]]],
  ['a row out of order', [['notes.csv', ended('A11,x\n')]]],
  ['an account twice', [['accounts.csv', before('A15', 'A14,Bob\n')]]],
  ['changes in several files', [['accounts.csv', replaced('A12,Ada', 'A12,Bob')], ['notes.csv', replaced('A18,x', 'A18,"x\n"')], ['meters.ndjson', before('A17', meter('A16', 3))]]],
]; // prettier-ignore

/** The places at which files can be entered: each is the beginning of a row of its account. */
function placesIn({ ranges }: OpenedExport): readonly string[] {
  const { inRanges, files } = ranges ?? { inRanges: () => [], files: [] };
  const places = new Set<string>();
  for (const { starts } of inRanges(1))
    for (const [file, start] of starts.entries()) {
      if (start === undefined) continue;
      const [byte, line, account] = start;
      const bytes = readFileSync(files[file]?.path ?? '');
      const row = bytes.subarray(byte).toString().replace('{"account":"', '');
      expect(row.slice(0, row.search(/[,"]/))).toBe(account);
      expect(bytes.subarray(0, byte).toString().split('\n')).toHaveLength(line);
      places.add(`${files[file]?.path.split('/').at(-1)} ${account}`);
    }
  return [...places].toSorted();
}

function placesAreOfRows(opened: OpenedExport): Promise<void> {
  placesIn(opened);
  return Promise.resolve();
}

const unchecked = () => Promise.resolve();

test.each(edits)('a reading by blocks finds what a whole reading finds: %s', async (_what, changes) => {
  const root = directoryWith(whole);
  const known = { kept: new KeptIndexes(directoryWith({}), '1', { accountsEach: 2 }) };
  const { prints } = await night(root, specs, new Map(), known, placesAreOfRows);
  const changed: Record<Name, string> = { ...whole };
  for (const [file, change] of changes) changed[file] = change(changed[file]);
  for (const [name, text] of Object.entries(changed)) writeFileSync(join(root, name), text);
  // The journal lacks some that the reading before had.
  const journal = new Map([...prints].filter((_one, at) => at % 5 !== 3));
  const found = await night(root, specs, journal, {}, unchecked);
  // The second time by the blocks that the first time wrote.
  for (let again = 0; again < 2; again += 1)
    expect(await night(root, specs, journal, known, placesAreOfRows)).toEqual(found);
});

test('files can be entered at blocks that were passed over and at blocks that were read', async () => {
  const root = directoryWith(whole);
  const known = { kept: new KeptIndexes(directoryWith({}), '1', { accountsEach: 2 }) };
  const { prints } = await night(root, specs, new Map(), known, placesAreOfRows);
  writeFileSync(
    join(root, 'notes.csv'),
    whole['notes.csv'].replace('A14,x', 'A14,y').replace('A18,x', 'A18,"x"y'),
  );
  const found: (readonly string[])[] = [];
  const keep = (opened: OpenedExport) => Promise.resolve(void found.push(placesIn(opened)));
  await night(root, specs, prints, known, keep);
  // A18 has a fault. A range is entered at the place before its first account, so at no last place of a file.
  expect(found).toEqual([
    [
      ...['accounts.csv A12', 'accounts.csv A16'],
      ...['meters.ndjson A12', 'meters.ndjson A14', 'meters.ndjson A17'],
      ...['notes.csv A12', 'notes.csv A14', 'notes.csv A16'],
    ],
  ]);
});
