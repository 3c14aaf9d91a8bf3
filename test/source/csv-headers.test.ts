import { expect, test } from 'vitest';
import { csvSample } from '../../src/source/formats/csv/sample.ts';
import { key, places, readFiles, refusal, directoryWith, table } from './temporary-export.ts';

const rows = `${key};name\r\n0017;Ann\r\n`;

test.each([
  ['a line that states the delimiter', `sep=;\r\n${rows}`, 3],
  ['the same in quotes, behind a byte order mark', `\ufeff"SEP=;"\r\n${rows}`, 3],
  ['a title', `Report "Accounts"\r\n\r\n${rows}`, 4],
  ['a title with an open quote', `Report of "Accounts\r\n${rows}`, 3],
  ['a line with groups of columns', `Account;Customer\r\n${rows}`, 3],
  ['several lines in a quoted title', `"Report\n\nof accounts";2024\r\n${rows}`, 5],
])('the header may be below %s', async (_what, text, line) => {
  for (const [encoding, bytes] of [
    ['utf-8', Buffer.from(text)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ] as const) {
    // prettier-ignore
    const found = await readFiles({ 'accounts.csv': bytes });
    const [record] = found.bundles.get('0017')?.records('accounts') ?? [];
    expect([encoding, record?.value('name'), record?.line]).toEqual([encoding, 'Ann', line]);
    expect(found.files[0]?.delimiter).toBe(';');
  }
});

test('rows above the header are told, since they are not read', async () => {
  const found = await readFiles({ 'accounts.csv': `1;Old\n2;Older\n${rows}` });
  expect([...found.bundles.keys()]).toEqual(['0017']);
  expect(found.faults).toEqual([
    expect.objectContaining({
      code: 'row_above_header',
      severity: 'warning',
      cell: { file: 'accounts.csv', line: 1, column: key },
    }),
    expect.objectContaining({ code: 'row_above_header', severity: 'warning' }),
  ]);
});

test('a file with the header far below its first lines is read in every form of line ends', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const titles = Array.from({ length: 150 }, (_, at) => `title ${at}`);
    const found = await readFiles({ 'accounts.csv': [...titles, `${key},name`, 'A-1,Ann', ''].join(end) });
    expect([found.bundles.get('A-1')?.records('accounts')[0]?.line, places(found.faults)]).toEqual([152, []]);
  }
});

test.each([
  ['unquoted', `${key},name\n="0017",="A ""B"" C"\n`],
  ['quoted', `"${key}","name"\n"=""0017""","=""A """"B"""" C"""\n`],
])('texts that are formulas keep what they hold: %s', async (_what, text) => {
  for (const more of [{}, { trim: true }, { escape: '\\' }, { comment: '#' }]) {
    const found = await readFiles({ 'accounts.csv': text }, more);
    expect(found.bundles.get('0017')?.records('accounts')[0]?.value('name')).toBe('A "B" C');
  }
});

test('a formula that is more than a text stays as it is', async () => {
  const found = await readFiles({ 'accounts.csv': `${key},name\nA-1,=1+1\nA-2,"=""a""&""b"""\nA-3,==\n` });
  const names = [...found.bundles.values()].map((bundle) => bundle.records('accounts')[0]?.value('name'));
  expect(names).toEqual(['=1+1', '="a"&"b"', '==']);
});

test('a blank separates cells if nothing else does', async () => {
  const found = await readFiles({ 'accounts.csv': `${key} name\nA-1 Ann\nA-2 Bob\n` });
  expect(found.bundles.get('A-2')?.records('accounts')[0]?.value('name')).toBe('Bob');
});

test('an empty file is refused with what to do', async () => {
  const root = directoryWith({ 'accounts.csv': '' });
  const [problem] = await refusal(root, [table('accounts.csv')]);
  expect(problem?.detail).toContain(
    `Export it again. If there is nothing in it, give it a header with the column '${key}'`,
  );
});

test.each([
  [`sep=;\n${rows}`, ';', 2],
  [`Accounts of 2024\n\n${rows}0018;Bob\n`, ';', 2],
  ['a b\n1 2\n3 4\n', ' ', 2],
  ['note\nsome text here\nother\n', ',', 1],
])('the guess of a mapping sees what reading sees: %j', (text, delimiter, columns) => {
  const sample = csvSample(Buffer.from(text));
  expect([sample.delimiter, sample.columns.length]).toEqual([delimiter, columns]);
});
