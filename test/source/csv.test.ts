import { expect, test } from 'vitest';
import {
  directoryWith,
  key,
  places,
  problemsOf,
  readFiles,
  refusal,
  table,
  type WholeExport,
} from './temporary-export.ts';

const accounts = `${key}\nA-1\nA-2\nA-3\nA-4\n`;

function linesOf(found: WholeExport, table: string): Record<string, number[]> {
  return Object.fromEntries(
    [...found.bundles].map(([account, bundle]) => [account, bundle.records(table).map(({ line }) => line)]),
  );
}

test.each([',', ';', '\t', '|'])('the delimiter %j is found by itself', async (delimiter) => {
  const rows = [`"a${delimiter}b"`, key, 'c'].join(delimiter);
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${rows}\n${['1,2;3', 'A-1', ''].map((cell) => `"${cell}"`).join(delimiter)}\n`,
  });
  expect(found.bundles.get('A-1')!.records('notes')[0]!.fields).toEqual({
    [`a${delimiter}b`]: '1,2;3',
    [key]: 'A-1',
    c: '',
  });
  expect(found.tables[1]).toMatchObject({
    delimiter,
    encoding: 'utf-8',
    columns: [`a${delimiter}b`, key, 'c'],
  });
});

test('a stated delimiter that is nowhere in the header is what is wrong with it', async () => {
  const directory = directoryWith({ 'accounts.csv': `${key},name\nA-1,Ann\n` });
  const [problem] = await refusal(directory, [table('accounts.csv', { delimiter: ';' })]);
  expect(problem).toMatchObject({
    code: 'missing_key_column',
    detail: expect.stringContaining('The header does not contain the given delimiter ";"'),
  });
});

test('a stated delimiter is used, though another would give more columns', async () => {
  const found = await readFiles({ 'accounts.csv': `${key}~a,b,c\nA-1~1,2\n` }, { delimiter: '~' });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields).toEqual({ [key]: 'A-1', 'a,b,c': '1,2' });
});

test.each(['\n', '\r\n', '\r'])(
  'lines are those of an editor after quoted line ends, blank lines and rows of nothing (%j)',
  async (end) => {
    const lines = [
      '',
      `${key},body,x`,
      '',
      'A-1,"one',
      '',
      '""two""",1',
      '  ',
      ',,',
      'A-2,three,2',
      '"",,""',
      'A-1,,3',
    ];
    const found = await readFiles({ 'accounts.csv': accounts, 'notes.csv': lines.join(end) });
    expect(problemsOf(found)).toEqual([]);
    expect(found.faults).toEqual([]);
    expect(linesOf(found, 'notes')).toMatchObject({ 'A-1': [4, 11], 'A-2': [9] });
    const [first] = found.bundles.get('A-1')!.records('notes');
    expect(first!.fields['body']).toBe(`one${end}${end}"two"`);
    expect(first!.cell('body')).toEqual({ file: 'notes.csv', line: 4, column: 'body' });
    expect(first!.cell('x')).toEqual({ file: 'notes.csv', line: 6, column: 'x' });
  },
);

test('line ends of several kinds in one file are each a line end', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body\r\nA-1,"x\ny\r\nz"\nA-2,w\r\nA-3,v`,
  });
  expect(linesOf(found, 'notes')).toEqual({ 'A-1': [2], 'A-2': [5], 'A-3': [6], 'A-4': [] });
  expect(found.bundles.get('A-1')!.records('notes')[0]!.fields['body']).toBe('x\ny\r\nz');
});

test('blanks around account numbers are a fault, or trimmed on request, names of columns too', async () => {
  const content = ` ${key} ,name\n A-1 ,  Ann  \n"A-2","  Bob"\n`;
  const asIs = await readFiles({ 'accounts.csv': content }, { key: ` ${key} ` });
  expect(problemsOf(asIs)).toEqual([`malformed_account_number A-1 accounts.csv:2: ${key}`]);
  const trimmed = await readFiles({ 'accounts.csv': content }, { trim: true });
  expect([...trimmed.bundles.values()].map((bundle) => bundle.records('accounts')[0]!.fields)).toEqual([
    { [key]: 'A-1', name: 'Ann' },
    { [key]: 'A-2', name: 'Bob' },
  ]);
});

test('lines are counted right after a row of nothing but tabs, also if cells are trimmed', async () => {
  const notes = `${key}\tbody\nA-1\tone\n\t\nA-2\ttwo`;
  const found = await readFiles(
    { 'accounts.csv': accounts.replaceAll(',', '\t'), 'notes.csv': notes },
    { trim: true },
  );
  expect(linesOf(found, 'notes')).toMatchObject({ 'A-1': [2], 'A-2': [4] });
});

test('a row with too few or too many cells is a problem of its account, and the others are read', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body,x\nA-1,few\nA-2,too,many,cells\nA-3,fine,1\nA-4\n`,
  });
  expect(problemsOf(found)).toEqual([
    'wrong_number_of_cells A-1 notes.csv:2:x',
    'wrong_number_of_cells A-2 notes.csv:3:x',
    'wrong_number_of_cells A-4 notes.csv:5:body',
  ]);
  expect(found.bundles.get('A-2')!.problems[0]!.detail).toMatch(/4 cells.*header has 3/);
  expect(linesOf(found, 'notes')['A-3']).toEqual([4]);
  expect(found.faults).toEqual([]);
});

test('a quote that is never closed is named where it opens, and costs its own row alone', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body,x\nA-1,fine,1\nA-2,"open,2\nA-3,fine,3\nA-4,"also fine",4\nA-1,fine,5\n`,
    'documents.csv': `${key},body,x\nA-1,fine,1\nA-2,fine,"open\nA-3,fine,3\n`,
    'ledgers.csv': `${key},body,x\nA-1,"fine\nfine","open\nA-3,fine,3\n`,
  });
  expect(problemsOf(found)).toEqual([
    'wrong_quoting A-1 ledgers.csv:3:x',
    'wrong_quoting A-2 notes.csv:3:body',
    'wrong_quoting A-2 documents.csv:3:x',
  ]);
  expect(linesOf(found, 'notes')).toEqual({ 'A-1': [2, 6], 'A-2': [], 'A-3': [4], 'A-4': [5] });
  expect(linesOf(found, 'documents')).toMatchObject({ 'A-1': [2], 'A-3': [4] });
  expect(linesOf(found, 'ledgers')).toMatchObject({ 'A-1': [], 'A-3': [4] });
  expect(found.faults).toEqual([]);
});

test('an open quote that another row seems to close does not swallow the rows between', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body,x\nA-1,"open,2\nA-2,fine,3\nA-3,4,stray"\nA-4,fine,5\n`,
  });
  expect(problemsOf(found)).toEqual([
    'wrong_quoting A-1 notes.csv:2:body',
    'wrong_quoting A-3 notes.csv:4:x',
  ]);
  expect(linesOf(found, 'notes')).toMatchObject({ 'A-2': [3], 'A-4': [5] });
});

test('a quote within a cell is a fault of its row', async () => {
  const found = await readFiles({
    'accounts.csv': `${key},height\nA-1,5" pipe\nA-2,"6"" pipe"\n"A-3","7" pipe"\nA-4,8\n`,
  });
  expect(problemsOf(found)).toEqual([
    'wrong_quoting A-1 accounts.csv:2:height',
    'wrong_quoting A-3 accounts.csv:4:height',
  ]);
  expect(found.accounts).toBe(4);
  expect(found.bundles.get('A-2')!.records('accounts')[0]!.fields['height']).toBe('6" pipe');
});

test('a row of one cell is told in the singular', async () => {
  const found = await readFiles({ 'accounts.csv': `${key},name\nA-1\nA-2,Bo\n` });
  expect(found.bundles.get('A-1')!.problems[0]!.detail).toMatch(/^The row has 1 cell and the header has 2\./);
});

test('a row without an account number holds all back, unless it is a row of the accounts', async () => {
  const found = await readFiles({
    'accounts.csv': `${key},name\nA-1,Ann\n,Nobody\n`,
    'notes.csv': `body,${key}\nx,A-1\ny,\nz,  \n`,
  });
  expect(places(found.faults)).toEqual([
    `missing_account_number - accounts.csv:3:${key}`,
    `missing_account_number - notes.csv:3:${key}`,
    `missing_account_number - notes.csv:4:${key}`,
  ]);
  expect(found.faults.map(({ holdsBack }) => holdsBack)).toEqual([false, true, true]);
  expect(found.accounts).toBe(1);
});

test('a faulty row whose account number cannot be trusted holds all back', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    // The delimiter in the first cell pushes the account number out of its place.
    'notes.csv': `body,${key}\nx, y,A-1\n`,
    // A-9 is no account of this export; that the second file knows it too shows that it was read rightly.
    'documents.csv': `${key},body\nA-9\nA-8\n`,
    'ledgers.csv': `${key},body\nA-9,x\n`,
  });
  expect(found.faults.map((fault) => [...places([fault]), fault.holdsBack])).toEqual([
    [`wrong_number_of_cells - notes.csv:2:${key}`, true],
    ['wrong_number_of_cells A-9 documents.csv:2:body', false],
    ['wrong_number_of_cells - documents.csv:3:body', true],
    [`orphan_row A-9 ledgers.csv:2:${key}`, false],
  ]);
  expect(problemsOf(found)).toEqual([`wrong_number_of_cells A-1 notes.csv:2:${key}`]);
});

test.each([
  [
    'a child file, within a row',
    'notes.csv',
    'A-1,x,y\nA-2,z',
    ['wrong_number_of_cells A-2 notes.csv:3:end'],
    'end',
  ],
  [
    'a child file, within quotes',
    'notes.csv',
    'A-1,x,y\nA-2,"z',
    ['wrong_quoting A-2 notes.csv:3:body'],
    'body',
  ],
  [
    'the accounts, within a row',
    'accounts.csv',
    'A-1,x,y\nA-2,z',
    ['wrong_number_of_cells A-2 accounts.csv:3:end'],
    'end',
  ],
  [
    'the accounts, within quotes',
    'accounts.csv',
    'A-1,x,y\nA-2,"z',
    ['wrong_quoting A-2 accounts.csv:3:body'],
    'body',
  ],
] as const)('a cut in the last row of %s holds all back', async (_name, file, rows, problems, column) => {
  const found = await readFiles({ 'accounts.csv': accounts, [file]: `${key},body,end\n${rows}` });
  expect(problemsOf(found)).toEqual(problems);
  expect(found.bundles.get('A-2')!.problems[0]!.detail).toContain('Export the file again.');
  expect(places(found.faults)).toEqual([`truncated_file - ${file}:3:${column}`]);
  expect(found.faults[0]).toMatchObject({ holdsBack: true });
  expect(found.faults[0]!.detail).toContain('Export the file again.');
});

test('a row with a wrong number of cells is no cut if its line ends, has too many, or is not the last', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body,end\nA-1,x,y\nA-2,z\n`,
    'documents.csv': `${key},body,end\nA-1,x\nA-2,y,z`,
    'ledgers.csv': `${key},body,end\nA-1,x,y\nA-2,x,y,z`,
    'extra.csv': `${key},body,end\nA-1,"x,y\nA-2,x,y`,
  });
  expect(problemsOf(found)).toHaveLength(4);
  expect(found.faults).toEqual([]);
});

test('a row beyond all measure is named, and the rows around it are read', async () => {
  const long = 'x'.repeat(9 * 1024 * 1024);
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `${key},body\nA-1,a\nA-2,${long}\nA-3,b\n`,
    // 4,500 lines, more than 4 MiB, after a quote that nobody closes
    'documents.csv': `${key},body\nA-1,"open\n${`A-2,${'y'.repeat(996)}\n`.repeat(4_500)}A-4,b\n`,
    'ledgers.csv': `${key},body\nA-1,a\nA-2,${','.repeat(long.length)}`,
  });
  expect(problemsOf(found)).toEqual([
    'wrong_quoting A-1 documents.csv:2:body',
    'record_too_long A-2 notes.csv:3:',
    'record_too_long A-2 ledgers.csv:3:',
  ]);
  expect(linesOf(found, 'notes')).toMatchObject({ 'A-1': [2], 'A-3': [4] });
  expect(found.bundles.get('A-2')!.records('documents')).toHaveLength(4_500);
  expect(linesOf(found, 'documents')['A-4']).toEqual([4_503]);
});

test('comment lines are left out where their mark is stated, before the header too, and never within quotes', async () => {
  const text = `# made by hand\n#\n\n${key},body\n#A-9,no row "\nA-1,#1\n"A-2","one\n# two"\n#`;
  const found = await readFiles({ 'accounts.csv': text }, { comment: '#' });
  expect(problemsOf(found)).toEqual([]);
  expect(found.faults).toEqual([]);
  expect(linesOf(found, 'accounts')).toEqual({ 'A-1': [6], 'A-2': [7] });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields['body']).toBe('#1');
  expect(found.bundles.get('A-2')!.records('accounts')[0]!.fields['body']).toBe('one\n# two');
  const unstated = await readFiles({ 'accounts.csv': `${key}\n#A-1\n` });
  expect([...unstated.bundles.keys()]).toEqual(['#A-1']);
});

test('quotes are escaped by what is stated, by themselves in any case, and by nothing else', async () => {
  const rows = [
    String.raw`A-1,"a \"b\", ""c"" \\"`,
    String.raw`A-2,"\n \x \\\" é"`,
    String.raw`A-3,C:\new`,
    String.raw`A-4,"open \"`,
    `A-5,fine`,
  ];
  const stated = await readFiles({ 'accounts.csv': `${key},body\n${rows.join('\n')}\n` }, { escape: '\\' });
  const bodies = [...stated.bundles.values()].flatMap((bundle) =>
    bundle.records('accounts').map(({ fields, unreadable }) => unreadable ?? fields['body']),
  );
  expect(bodies).toEqual([
    String.raw`a "b", "c" \ `.trim(),
    String.raw`\n \x \" é`,
    String.raw`C:\new`,
    [''],
    'fine',
  ]);
  expect(problemsOf(stated)).toEqual(['wrong_quoting A-4 accounts.csv:5:body']);
  const unstated = await readFiles({ 'accounts.csv': `${key},body\nA-1,"C:\\"\nA-2,"a \\"b"\n` });
  expect(unstated.bundles.get('A-1')!.records('accounts')[0]!.fields['body']).toBe('C:\\');
  expect(problemsOf(unstated)).toEqual(['wrong_quoting A-2 accounts.csv:3:body']);
});

test('the key column is found in another case, where no other could be meant', async () => {
  const found = await readFiles({
    'accounts.csv': `EXTERNAL_ACCOUNT_NUMBER;Name\nA-1;Ann\n`,
    'notes.csv': `x,${key},External_Account_Number\ny,A-1,A-2\n`,
  });
  expect(found.tables.map((each) => each.key)).toEqual(['EXTERNAL_ACCOUNT_NUMBER', key]);
  const [record] = found.bundles.get('A-1')!.records('accounts');
  expect(record!.cell('NAME')).toEqual({ file: 'accounts.csv', line: 2, column: 'Name' });
  expect(record!.cell(key).column).toBe('EXTERNAL_ACCOUNT_NUMBER');
  expect(found.bundles.get('A-1')!.records('notes')).toHaveLength(1);
  const twice = await refusal(directoryWith({ 'accounts.csv': `KEY,Key\nA-1,A-2\n` }), [
    table('accounts.csv', { key: 'key' }),
  ]);
  expect(places(twice)).toEqual(['missing_key_column - accounts.csv:1:key']);
});

test('a header of several lines is read as a whole, also where no row comes after it', async () => {
  const found = await readFiles({
    'accounts.csv': accounts,
    'notes.csv': `"first\nline",${key}`,
    'documents.csv': `"first\n${'line '.repeat(30_000)}\n",${key},x\ny,A-1,z\n`,
  });
  expect(found.tables.map(({ columns }) => columns?.length)).toEqual([1, 2, 3]);
  expect(found.bundles.get('A-1')!.records('documents')[0]!.line).toBe(4);
});
