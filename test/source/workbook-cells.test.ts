import { expect, test } from 'vitest';
import sax from 'sax';
import { read, textOf } from './read-workbook.ts';
import { bookParts, inline, rowsXml, zipOf } from './workbook.ts';

const number = (value: string): string => `<c><v>${value}</v></c>`;

test.each([
  ['1001.0', '1001'],
  ['1.0E7', '10000000'],
  ['1.20000151E8', '120000151'],
  ['12.50', '12.5'],
  ['-3.0', '-3'],
  ['-0.0', '0'],
  ['+5', '5'],
  ['.5', '0.5'],
  ['5.', '5'],
  [' 17 ', '17'],
  ['007', '7'],
])('a number is its value, not its spelling in the file: %s is %s', async (stored, text) => {
  expect(await textOf(number(stored))).toBe(text);
});

test.each(['12,5', 'NaN', 'Infinity', '0x10', '1 000'])(
  'the cell of a number with %s is told',
  async (stored) => {
    expect(await textOf(number(stored))).toBe('not_a_number');
  },
);

test.each([
  ['00000', '1067.0', '01067'],
  ['&quot;EXT-&quot;000000', '17', 'EXT-000017'],
  ['000\\-000', '1067.0', '001-067'],
  ['000-000', '1067', '001-067'],
  ['00 000', '1067', '01 067'],
  ['(###) ###-####', '5551234567', '(555) 123-4567'],
  ['[&lt;=9999999]###-####;(###) ###-####', '5551234', '555-1234'],
  ['[&lt;=9999999]###-####;(###) ###-####', '5551234567', '(555) 123-4567'],
  ['&quot;K&quot;0', '17', 'K17'],
  ['&quot;EXT-&quot;General', '17', 'EXT-17'],
  ['&quot;EXT-&quot;General', '0', 'EXT-0'],
  ['&quot;EXT-&quot;General', '17.5', 'number_not_shown'],
  ['&quot;EXT-&quot;000000', '1.5', 'number_not_shown'],
  ['&quot;EXT-&quot;000000;;&quot;none&quot;', '0', 'number_not_shown'],
  ['&quot;0&quot;#', '17', '017'],
  ['0&quot;-2&quot;', '17', '17-2'],
  ['00000', '-5', '-5'],
  ['00000', '12.5', '12.5'],
  ['00000;-00000', '1067', '01067'],
])('a format of digits and texts gives what is shown: by %s, %s is %s', async (format, stored, text) => {
  expect(await textOf(number(stored), format)).toBe(text);
});

test.each([
  ['0&quot; kWh&quot;', '1200.0'],
  ['0\\ &quot;€&quot;', '1200'],
  ['[$€-407]\\ 0', '1200'],
  ['&quot;EUR&quot;\\ #', '1200'],
  ['#\\ ##0', '1200'],
  ['#,##0', '1200'],
  ['#\\ ##0\\ [$Kč-405]', '1200'],
  ['+0;-0;0', '1200'],
  ['$#', '1200'],
  ['0%', '1200'],
  ['0E+00', '1200'],
])('an amount stays a number, whatever unit its format has: %s', async (format, stored) => {
  expect(await textOf(number(stored), format)).toBe('1200');
});

test.each([
  ['h:mm', '45292.75', '2024-01-01T18:00:00'],
  ['h:mm', '0.75', '18:00:00'],
  ['[h]:mm', '45292.75', '1087026:00:00'],
  ['[mm]:ss', '1.5', '36:00:00'],
  ['[ss]', '1.5', '36:00:00'],
  ['h:mm AM/PM', '45292.75', '2024-01-01T18:00:00'],
  ['AM/PM', '0.75', '18:00:00'],
  ['h:mm', '1.5', 'ambiguous_date'],
  ['mm:ss.0', '45292.75', '2024-01-01T18:00:00'],
])('only a format of all hours counts them from zero: by %s, %s is %s', async (format, stored, text) => {
  expect(await textOf(number(stored), format)).toBe(text);
});

test.each([
  ['inlineStr', '<c t="inlineStr"><v>17</v><is><t>17</t></is></c>', '17'],
  ['inlineStr, the other way round', '<c t="inlineStr"><is><t>1.</t></is><v>1.0</v></c>', '1.'],
  ['str', '<c t="str"><v>a</v><is><t>b</t></is></c>', 'a'],
  ['n', '<c><v>5</v><is><t>6</t></is></c>', '5'],
  ['inlineStr without <is>', '<c t="inlineStr"><v>a</v></c>', 'a'],
  ['none, with <is> alone', '<c><is><t>a</t></is></c>', 'a'],
  [
    'inlineStr with another text in it',
    '<c t="inlineStr"><is><t>a</t></is><extLst><ext><t>b</t></ext></extLst></c>',
    'a',
  ],
])('the type says which child has the value: %s', async (_type, cell, text) => {
  expect(await textOf(cell)).toBe(text);
});

test.each([
  ['eins\r\nzwei', 'eins\nzwei'],
  ['eins\rzwei', 'eins\nzwei'],
  ['eins\r\r\nzwei', 'eins\n\nzwei'],
  ['eins_x000D_\r\nzwei', 'eins\r\nzwei'],
  ['eins&#13;\nzwei', 'eins\r\nzwei'],
  ['<![CDATA[eins\r\nzwei]]>', 'eins\nzwei'],
])('a line end of the XML is a line feed: %j', async (stored, text) => {
  expect(await textOf(inline(stored))).toBe(text);
});

test('a line end that two blocks of a part share is one', async () => {
  // Blocks of a part that is not compressed end at fixed places.
  for (let before = 0; before < 3; before += 1) {
    const long = `${'x'.repeat(before)}${'\r\n'.repeat(50_000)}`;
    expect(await textOf(inline(long))).toBe(long.replaceAll('\r\n', '\n'));
  }
});

test('the library leaves line ends to its caller; once it does not, the caller need not replace them', () => {
  const parser = sax.parser(true);
  let text = '';
  parser.ontext = (piece) => (text += piece);
  parser.write('<a>1\r\n2</a>').close();
  expect(text).toBe('1\r\n2');
});

const x15 = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The told problem or the text of a single date cell of 1904, after a change of the parts. */
async function changed(act: (parts: Record<string, string>) => void, cell = '<c s="1"><v>43830</v></c>') {
  const sheet = rowsXml([
    [inline('NR'), inline('X')],
    [inline('1'), cell],
  ]);
  const parts = bookParts(sheet, { formats: ['yyyy-mm-dd'], is1904: true });
  act(parts);
  const { fields, told } = await read(await zipOf(parts));
  return told[0] ?? fields[0]?.['X'];
}

function edit(parts: Record<string, string>, part: string, from: string, to: string): void {
  const text = parts[part] ?? '';
  expect(text).toContain(from);
  parts[part] = text.replace(from, to);
}

const extension = `<extLst><ext uri="{1}" xmlns:x15="${x15}"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>`;

test.each([
  ['with a prefix of its own', extension],
  [
    'with a default of its own',
    `<extLst><ext><workbookPr xmlns="${x15}" date1904="0"/></ext></extLst></workbook>`,
  ],
  ['as another child of the workbook', `<x15:workbookPr xmlns:x15="${x15}" date1904="0"/></workbook>`],
  [
    'within a choice',
    `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x15"><workbookPr date1904="0"/></mc:Choice></mc:AlternateContent></workbook>`,
  ],
])('an element of an extension does not change the dates of a workbook: %s', async (_how, text) => {
  expect(
    await changed((parts) => {
      edit(parts, 'xl/workbook.xml', '</workbook>', text);
    }),
  ).toBe('2024-01-01');
});

test('elements of other namespaces count in no part of a workbook', async () => {
  expect(
    await changed((parts) => {
      edit(parts, 'xl/styles.xml', '</styleSheet>', `<dxfs><dxf><numFmt numFmtId="164" formatCode="0.00"/></dxf></dxfs><o:cellXfs xmlns:o="urn:o"><o:xf numFmtId="1"/></o:cellXfs></styleSheet>`); // prettier-ignore
      edit(parts, 'xl/worksheets/sheet1.xml', '<v>43830</v>', '<v>43830</v><o:v xmlns:o="urn:o">1</o:v>');
      edit(parts, 'xl/_rels/workbook.xml.rels', '<Relationship ', '<o:Relationship xmlns:o="urn:o" Id="s" Type="x/worksheet" Target="nowhere.xml"/><Relationship '); // prettier-ignore
    }),
  ).toBe('2024-01-01');
});

test('the part of a sheet is that of its relationship, not of another attribute', async () => {
  expect(
    await changed((parts) => {
      edit(parts, 'xl/workbook.xml', '<sheet name', '<sheet xmlns:o="urn:o" o:id="t" name');
    }),
  ).toBe('2024-01-01');
});

test('parts may have prefixes of any name, and none of the usual ones', async () => {
  expect(
    await changed((parts) => {
      for (const part of ['xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/styles.xml'])
        parts[part] = (parts[part] ?? '')
          .replaceAll(/<(\/?)(?=[a-z])/gi, '<$1q:')
          .replace(`xmlns="${main}"`, `xmlns:q="${main}"`);
    }),
  ).toBe('2024-01-01');
});

test.each([
  ['xl/styles.xml', 'xl/Styles.xml', '2024-01-01'],
  ['xl/worksheets/sheet1.xml', 'xl/Worksheets/Sheet1.xml', '2024-01-01'],
  ['xl/workbook.xml', 'xl/Workbook.XML', '2024-01-01'],
  ['xl/_rels/workbook.xml.rels', 'xl/_rels/Workbook.xml.rels', '2024-01-01'],
  ['_rels/.rels', '_Rels/.Rels', '2024-01-01'],
])('the case of the name of a part does not count: %s as %s', async (from, to, text) => {
  expect(
    await changed((parts) => {
      parts[to] = parts[from] ?? '';
      Reflect.deleteProperty(parts, from);
    }),
  ).toBe(text);
});

test('shared texts are found under a name in another case', async () => {
  const sheet = rowsXml([
    [inline('NR'), inline('X')],
    [inline('1'), '<c t="s"><v>1</v></c>'],
  ]);
  const parts = bookParts(sheet, { strings: '<si><t>a</t></si><si><t>b</t><rPh><t>x</t></rPh></si>' });
  parts['xl/SharedStrings.xml'] = parts['xl/sharedStrings.xml'] ?? '';
  delete parts['xl/sharedStrings.xml'];
  expect((await read(await zipOf(parts))).fields).toEqual([{ NR: '1', X: 'b' }]);
});

test('phonetic runs are not part of a text, also if they have runs of their own', async () => {
  const phonetic = '<r><t>課</t></r><rPh sb="0" eb="1"><r><t>カ</t></r></rPh><rPh><t>ケ</t></rPh>';
  expect(await textOf(`<c t="inlineStr"><is>${phonetic}</is></c>`)).toBe('課');
  const sheet = rowsXml([[inline('NR'), inline('X')], [inline('1'), '<c t="s"><v>0</v></c>']]); // prettier-ignore
  const parts = bookParts(sheet, { strings: `<si>${phonetic}</si>` });
  expect((await read(await zipOf(parts))).fields).toEqual([{ NR: '1', X: '課' }]);
});

test('a workbook whose formats are missing is refused: its numbers may be dates', async () => {
  const sheet = rowsXml([[inline('NR'), inline('X')], [inline('1'), '<c s="1"><v>43830</v></c>']]); // prettier-ignore
  const parts = bookParts(sheet, { formats: ['yyyy-mm-dd'] });
  delete parts['xl/styles.xml'];
  await expect(read(await zipOf(parts))).rejects.toThrow('damaged_file');
});

test('a part in UTF-16 is read', async () => {
  const sheet = rowsXml([[inline('NR'), inline('X')], [inline('1'), inline('Zähler')]]); // prettier-ignore
  const { 'xl/worksheets/sheet1.xml': text = '', ...parts } = bookParts(sheet);
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  const { fields } = await read(await zipOf({ ...parts, 'xl/worksheets/sheet1.xml': wide }));
  expect(fields).toEqual([{ NR: '1', X: 'Zähler' }]);
});

test.each([
  ['two values', '<c><v>5</v><v>6</v></c>'],
  ['two texts', '<c t="inlineStr"><is><t>17</t></is><is><t>17</t></is></c>'],
])('a cell with %s has none of them', async (_what, cell) => {
  await expect(textOf(cell)).rejects.toThrow('unreadable: damaged_file');
});
