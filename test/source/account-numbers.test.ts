import { expect, test } from 'vitest';
import { key, places, problemsOf, readFiles } from './temporary-export.ts';

const csv = (...numbers: string[]): string => `${key},x\n${numbers.map((one) => `${one},1\n`).join('')}`;

test.each([
  ['a blank behind it', '0018 '],
  ['a blank before it', ' 0018'],
  ['a no-break space', '0018\u00a0'],
  ['a zero-width space', '0018\u200b'],
  ['a zero-width space within', '00\u200b18'],
  ['a byte order mark', '\ufeff0018'],
  ['a soft hyphen', '00\u00ad18'],
  ['a mark of direction', '\u200e0018'],
  ['a word joiner', '0018\u2060'],
  ['a Hangul filler', '0018\u3164'],
  ['an ideographic space', '0018\u3000'],
  ['a variation selector', '0018\ufe0f'],
  ['a tab', '"0018\t"'],
  ['a line separator', '0018\u2028'],
])('%s does not make another account of a number', async (_what, number) => {
  const found = await readFiles({
    'accounts.csv': csv('0017', '0018', '0019'),
    'notes.csv': csv('0017', number),
  });
  expect([...found.bundles.keys()]).toEqual(['0017', '0018', '0019']);
  expect(problemsOf(found)).toEqual([`malformed_account_number 0018 notes.csv:3:${key}`]);
  expect(found.faults).toEqual([]);

  const twice = await readFiles({ 'accounts.csv': csv('0017', '0018', number) });
  expect([...twice.bundles.keys()]).toEqual(['0017', '0018']);
  expect(problemsOf(twice)).toEqual([
    `malformed_account_number 0018 accounts.csv:4:${key}`,
    `duplicate_account 0018 accounts.csv:4:${key}`,
  ]);

  const text = number.replaceAll('"', '');
  const json = [text, '0017'].map((one) => JSON.stringify({ [key]: one })).join('\n');
  const records = await readFiles({ 'accounts.csv': csv('0017', '0018'), 'notes.ndjson': json });
  expect(problemsOf(records)).toEqual([`malformed_account_number 0018 notes.ndjson:1:${key}`]);
});

test('a number with a character that is not seen is shown with it', async () => {
  const found = await readFiles({ 'accounts.csv': csv('0017', '00\u200b18') });
  const details = [...found.bundles.values()].flatMap(({ problems }) => problems.map(({ detail }) => detail));
  expect([...details, ...found.faults.map(({ detail }) => detail)].join()).toContain('"00\\u200b18"');
});

test('a number in two Unicode forms is one account', async () => {
  const [one, other] = ['Mü-1', 'Mü-1'.normalize('NFD')];
  const found = await readFiles({ 'accounts.csv': csv(one), 'notes.csv': csv(other) });
  expect(found.bundles.get(one)!.records('notes')).toHaveLength(1);
  expect([...problemsOf(found), ...places(found.faults)]).toEqual([]);
  const twice = await readFiles({ 'accounts.csv': csv(one, other) });
  expect(problemsOf(twice)).toEqual([`duplicate_account ${one} accounts.csv:3:${key}`]);
});

test('a table or a key that is trimmed has no such numbers', async () => {
  const found = await readFiles({ 'accounts.csv': csv('0017      ', '0018      ') }, { trim: true });
  expect([...found.bundles.keys()]).toEqual(['0017', '0018']);
  const shaped = await readFiles(
    { 'accounts.csv': csv('0017      ', '0018\u00a0') },
    { keyShape: { trim: true } },
  );
  expect([...shaped.bundles.keys()]).toEqual(['0017', '0018']);
  expect([...problemsOf(found), ...problemsOf(shaped)]).toEqual([]);
});

test.each(['\u2010', '\u2011', '\u2212'])(
  'a number whose hyphen only looks like one is no other account: A%s1',
  async (hyphen) => {
    const found = await readFiles({ 'accounts.csv': csv('A-1', `A${hyphen}1`) });
    expect([...found.bundles.keys()]).toEqual(['A-1']);
    expect(problemsOf(found)).toEqual([
      `malformed_account_number A-1 accounts.csv:3:${key}`,
      `duplicate_account A-1 accounts.csv:3:${key}`,
    ]);
  },
);
