import { expect, test } from 'vitest';
import { cutTo, padded, textWidth } from '../../src/report/text-width.ts';
import { paragraph } from '../../src/report/paragraph.ts';
import { table } from '../../src/report/table.ts';
import { pageOf } from '../../src/report/terminal.ts';

const page = (columns: number) =>
  pageOf({ write: () => undefined, isTty: true, columns, rows: 24, colour: false });

test.each([
  ['Zähler', 6],
  ['Za\u0308hler', 6],
  ['東京都', 6],
  ['ｱｶｳﾝﾄ', 5],
  ['한국전력', 8],
  ['👩‍👧', 2],
  ['\u001B[31mred\u001B[39m', 3],
  ['', 0],
])('%j takes %i columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns);
  expect(textWidth(padded(text, 12))).toBe(12);
  expect(textWidth(cutTo(text, 3))).toBeLessThanOrEqual(3);
});

test('a wide character is not cut in two, nor a combining one left alone', () => {
  expect(cutTo('東京都', 5)).toBe('東京');
  expect(cutTo('Za\u0308hler', 2)).toBe('Za\u0308');
});

test('a paragraph of wide characters fits the page', () => {
  const text = Array.from({ length: 12 }, () => '東京電力').join(' ');
  const lines = paragraph(page(30), text).split('\n');
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(30);
  expect(lines.join(' ').replaceAll(/ +/g, ' ').trim()).toBe(text);
});

test('the columns of a table stand one below another, and are cut to the page', () => {
  const rows = [['東京電力株式会社', 'TEPCO', '1'], ['Za\u0308hler', 'x', '22'], ['ｱｶｳﾝﾄ', 'y', '333']]; // prettier-ignore
  const columns = [{ title: '名前' }, { title: 'Code' }, { title: 'Count', align: 'right' as const }];
  for (const width of [80, 24]) {
    const lines = table(page(width), columns, rows).split('\n');
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(new Set(lines.map((line) => textWidth(line))).size).toBe(1);
  }
});
