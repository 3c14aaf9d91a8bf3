import { expect, test } from 'vitest';
import { parseCsv, plainCell } from '../../src/source/formats/csv/parsing.ts';
import { parsePlainCsv, plainRows } from '../../src/source/formats/csv/plain.ts';
import { longestRow, type CsvDialect } from '../../src/source/formats/csv/dialect.ts';

type Row = readonly [cells: readonly string[], start: number, end: number, lines: number];
const rowsOf = (text: string, dialect: Partial<CsvDialect>, most?: number) => {
  const { records, wrong } = parseCsv(Buffer.from(text), { delimiter: ',', ...dialect }, most);
  return { rows: records.map(({ cells, start, end, lines }): Row => [[...cells], start, end, lines]), wrong };
};

test.each<[string, Partial<CsvDialect>, Row[]]>([
  [
    'a,"b" c\n"d,e\n="0017",="0018\n',
    { quote: '' },
    [
      [['a', '"b" c'], 0, 8, 1],
      [['"d', 'e'], 8, 13, 1],
      [['0017', '="0018'], 13, 28, 1],
    ],
  ],
  [`'a,b',"c\n`, { quote: "'" }, [[['a,b', '"c'], 0, 9, 1]]],
  [
    '"a\\"b",c\n"C:\\\\",\\d\n"e\\\\\\"","f""g\\h"\n',
    { escape: '\\' },
    [
      [['a"b', 'c'], 0, 9, 1],
      [['C:\\', '\\d'], 9, 19, 1],
      [['e\\"', 'f"g\\h'], 19, 36, 1],
    ],
  ],
  ['x\\', { escape: '\\' }, [[['x\\'], 0, 2, 1]]],
  [
    '"a\n\nb",c\n# no\n  \nd,e\n',
    { comment: '#', trim: true },
    [
      [['a\n\nb', 'c'], 0, 9, 3],
      [['d', 'e'], 17, 21, 1],
    ],
  ],
  [
    'a,="0017"\n="0""1","="\n',
    { comment: '#' },
    [
      [['a', '0017'], 0, 10, 1],
      [['0"1', '='], 10, 22, 1],
    ],
  ],
  ['  undefined,1\n', { trim: true }, [[['undefined', '1'], 0, 14, 1]]],
  ['"undefinedundefined"\n', { comment: '#' }, [[['undefinedundefined'], 0, 21, 1]]],
  ['a , b\n', { comment: '#' }, [[['a ', ' b'], 0, 6, 1]]],
  [
    'a\n#c,d\ne\n',
    { comment: '#', trim: true },
    [
      [['a'], 0, 2, 1],
      [['e'], 7, 9, 1],
    ],
  ],
  ['a||b|c\n', { delimiter: '||' }, [[['a', 'b|c'], 0, 7, 1]]],
  ['"NaN",\\n\n', { comment: '#' }, [[['NaN', '\\n'], 0, 9, 1]]],
  [' #c\n \td\n', { comment: '#', trim: true, delimiter: '\t' }, [[['', 'd'], 4, 8, 1]]],
  ['"a\rb",c\n', {}, [[['a\rb', 'c'], 0, 8, 2]]],
  [
    '\r\na,b\r\n\r\nc\r\n\r',
    {},
    [
      [['a', 'b'], 2, 7, 1],
      [['c'], 9, 12, 1],
    ],
  ],
  [
    'a\x7f,é\n"\x7fé","b😀"\nc,d\n',
    {},
    [
      [['a\x7f', 'é'], 0, 6, 1],
      [['\x7fé', 'b😀'], 6, 20, 1],
      [['c', 'd'], 20, 24, 1],
    ],
  ],
])('%j with %j gives its rows', (text, dialect, rows) => {
  expect(rowsOf(text, dialect)).toEqual({ rows });
  expect(rowsOf(text, dialect, 1).rows).toEqual(rows.slice(0, 1));
  expect(rowsOf(text, dialect, 0).rows).toEqual([]);
});

test.each<[string, Partial<CsvDialect>, { rows: number; start: number; at: number; cell: number }]>([
  ['a,b\n\n#c\n1,"x"y\n2,3\n', { comment: '#' }, { rows: 1, start: 8, at: 10, cell: 1 }],
  ['a,b\n1, "x" \t"y"\n', { trim: true }, { rows: 1, start: 4, at: 7, cell: 1 }],
  ['a,"b"\t,"c"x\n', { trim: true }, { rows: 0, start: 0, at: 7, cell: 2 }],
  ['a,b\n 1 ,x"y\n', { trim: true }, { rows: 1, start: 4, at: 9, cell: 1 }],
  ['a\tb\n1\t"x" \ty"\n', { trim: true, delimiter: '\t' }, { rows: 1, start: 4, at: 12, cell: 2 }],
  ['a€b\n1€"x"€"y"z\n', { delimiter: '€' }, { rows: 1, start: 6, at: 16, cell: 2 }],
  ['"a"|"b"||"c"x\n', { delimiter: '||' }, { rows: 0, start: 0, at: 0, cell: 0 }],
  ['"a"||"b"||"c"x\n', { delimiter: '||' }, { rows: 0, start: 0, at: 10, cell: 2 }],
  ['a€b\n1€"x"\r\n"2"\r"3"x\n', { delimiter: '€' }, { rows: 3, start: 19, at: 19, cell: 0 }],
  ['a,"b""c" "\n', { trim: true }, { rows: 0, start: 0, at: 2, cell: 1 }],
  ['\\"x,1\n', { escape: '\\' }, { rows: 0, start: 0, at: 0, cell: 0 }],
  ['1,2,"x"y', {}, { rows: 0, start: 0, at: 4, cell: 2 }],
  ['1,="x"y', {}, { rows: 0, start: 0, at: 2, cell: 1 }],
  ['1,=x"y', {}, { rows: 0, start: 0, at: 4, cell: 1 }],
  ['1,x"y', {}, { rows: 0, start: 0, at: 3, cell: 1 }],
  ['a,"x" ,y\n', { comment: '#' }, { rows: 0, start: 0, at: 2, cell: 1 }],
])('%j with %j has a wrong quote', (text, dialect, { rows, ...wrong }) => {
  const found = rowsOf(text, dialect);
  expect(found.wrong).toEqual({ ...wrong, isOpen: false });
  expect(found.rows).toHaveLength(rows);
});

test.each<[string, Partial<CsvDialect>, { start: number; at: number; cell: number }]>([
  ['a\tb\n1\t "x"\t"y\n2', { trim: true, delimiter: '\t' }, { start: 4, at: 11, cell: 2 }],
  ['"a\n1', { trim: true }, { start: 0, at: 0, cell: 0 }],
  ['a,"b""c\n1', { trim: true }, { start: 0, at: 2, cell: 1 }],
  ['1,="x', {}, { start: 0, at: 2, cell: 1 }],
])('%j with %j has a quote that stays open', (text, dialect, wrong) => {
  expect(rowsOf(text, dialect).wrong).toEqual({ ...wrong, isOpen: true });
});

test('a row is no longer than 4 MiB, and a quote that stays open is told of instead', () => {
  const long = 'b'.repeat(longestRow + 2);
  const isWrong = (text: string, dialect: Partial<CsvDialect>) => rowsOf(text, dialect).wrong;
  const wrong = { start: 2, at: 2, cell: 0 };
  expect(isWrong(`a\nx,${long}\nc\n`, { comment: '#' })).toEqual({ ...wrong, isOpen: false });
  expect(isWrong(`a\nx,"${long}\nc\n`, { comment: '#' })).toEqual({ ...wrong, at: 4, cell: 1, isOpen: true });
  expect(isWrong(`a\n"${long}\nc\n`, { quote: '' })).toEqual({ ...wrong, isOpen: false });
  expect(isWrong(`a\nx,${long}\nc\n`, {})).toEqual({ ...wrong, isOpen: false });
});

test.each(['\n', '\r'])(
  'a row that is too long is the fault, not a quote that is open in a later row (%j)',
  (end) => {
    const long = 'b'.repeat(longestRow + 2);
    for (const row of [`x,${long}`, `"${long}"`]) {
      const { wrong } = rowsOf(`a${end}${row}${end}y,"open${end}`, { comment: '#' });
      expect(wrong).toEqual({ start: 2, at: 2, cell: 0, isOpen: false });
    }
  },
);

test('rows of which the key is read give any cell, their text and their bytes', () => {
  const text = '\n"A1",x,1\n"A1",y,2\r\nB2,"z, ""é""",3\nB3,é,4\nB';
  const rows = [
    ['A1', 'x', '1', '"A1",x,1', '\n'],
    ['A1', 'y', '2', '"A1",y,2', '\r\n'],
    ['B2', 'z, "é"', '3', 'B2,"z, ""é""",3', '\n'],
    ['B3', 'é', '4', 'B3,é,4', '\n'],
  ] as const;
  for (const key of [undefined, 0, 1]) {
    const { records } = parseCsv(Buffer.from(text), { delimiter: ',' }, Infinity, key);
    expect(records).toHaveLength(5);
    for (const [at, [first, second, third, row, end]] of rows.entries()) {
      const cells = records[at]?.cells;
      expect([-1, 0, 1, 2, 3].map((index) => cells?.at(index))).toEqual([undefined, first, second, third, undefined]); // prettier-ignore
      expect(cells?.row?.()).toBe(row);
      expect(cells?.asRead && Buffer.from(cells.asRead()).toString()).toBe(key === undefined ? undefined : row + end); // prettier-ignore
      expect(JSON.stringify(cells)).toBe(JSON.stringify([first, second, third]));
    }
    expect([0, 1].map((index) => records[4]?.cells.at(index))).toEqual(['B', undefined]);
  }
  expect(plainRows(Buffer.from(text), ',').map((cells) => cells.row?.())).toEqual([...rows.map((row) => row[3]), 'B']); // prettier-ignore
});

test.each<[string, Partial<CsvDialect>, boolean]>([
  ['a,b\n', {}, true],
  ['a,b\r\n"c"\r\n', {}, true],
  ['a,b\r', {}, true],
  ['1,"x"y\n', {}, true],
  ['a,b\rc', {}, false],
  ['a,b\n\rc\n', {}, false],
  ['"a"\0,b\n', {}, false],
  ['a||b\n', { delimiter: '||' }, false],
  ['a€b\n', { delimiter: '€' }, false],
  ['a,b\n', { quote: "'" }, false],
  ['a,b\n', { escape: '\\' }, false],
  ['a,b\n', { comment: '#' }, false],
  ['a,b\n', { trim: true }, false],
  ['a,b\n', { trim: false }, true],
])('%j with %j is read the fast way: %j', (text, dialect, isFast) => {
  expect(parsePlainCsv(Buffer.from(text), { delimiter: ',', ...dialect }, Infinity) !== undefined).toBe(
    isFast,
  );
});

test.each<[string, Partial<CsvDialect>, number, string | undefined]>([
  ['a,b\n', {}, 1, 'b'],
  ['a,b\r\n', {}, 1, 'b'],
  ['a', {}, 1, undefined],
  ['"a",b"c', {}, 0, 'a'],
  ['="0017",x', {}, 0, '0017'],
  [`'a';b`, { quote: "'", delimiter: ';' }, 0, 'a'],
  [`"a";'b`, { quote: "'", delimiter: ';' }, 0, '"a"'],
  ['a;b', { quote: "'", delimiter: ';' }, 2, undefined],
  [' ,b', {}, 0, undefined],
  ['a"b,c', {}, 0, undefined],
  ['x="a",c', {}, 0, undefined],
  ['"a"x,c', {}, 0, undefined],
  ['a\\b,c', { escape: '\\' }, 0, undefined],
  ['a\\b,c', {}, 0, 'a\\b'],
  ['ab,c', { escape: '\\' }, 0, 'ab'],
  ['undefined,c', {}, 0, 'undefined'],
])('%j with %j still shows its cell %i as %j', (line, dialect, index, cell) => {
  expect(plainCell(line, { delimiter: ',', ...dialect }, index)).toBe(cell);
});
