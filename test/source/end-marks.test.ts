import { expect, test } from 'vitest';
import { key, places, problemsOf, readFiles } from './temporary-export.ts';

const rows = `${key},x\nA-1,1\nA-2,2\n`;

test.each([
  ['an end mark of DOS', `${rows}\u001a`],
  ['an end mark right behind the last row', `${rows.trimEnd()}\u001a`],
  ['an end mark and a line end', `${rows}\u001a\r\n`],
  ['a block that end marks fill up', `${rows}${'\u001a'.repeat(500)}`],
  ['two byte order marks', `\ufeff\ufeff${rows}`],
  ['three byte order marks', `\ufeff\ufeff\ufeff${rows}`],
])('a file with %s is read as without', async (_what, text) => {
  const found = await readFiles({ 'accounts.csv': text });
  expect([...found.bundles.keys()]).toEqual(['A-1', 'A-2']);
  expect(found.bundles.get('A-2')!.records('accounts')[0]!.fields).toEqual({ [key]: 'A-2', x: '2' });
  expect([...problemsOf(found), ...places(found.faults)]).toEqual([]);
  const wide = await readFiles({ 'accounts.csv': Buffer.from(`\ufeff${text}`, 'utf16le') });
  expect([...wide.bundles.keys()]).toEqual(['A-1', 'A-2']);
});

test('an end mark within a file stays what it is', async () => {
  const found = await readFiles({ 'accounts.csv': `${key},x\nA-1,\u001a\nA-2,2\n` });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields['x']).toBe('\u001a');
});

test('a record of lines may end with an end mark', async () => {
  const found = await readFiles({ 'accounts.ndjson': `{"${key}":"A-1"}\n\u001a` });
  expect([...found.bundles.keys()]).toEqual(['A-1']);
  expect(places(found.faults)).toEqual([]);
});
