import { expect, test } from 'vitest';
import { anyDateFormat, dateFormat, inZone, instantOf } from '../../src/mapping/date-format.ts';
import { decimalFormat } from '../../src/mapping/decimal-format.ts';
import { valueShape } from '../../src/mapping/text-shape.ts';
import { Fault } from '../../src/mapping/convert.ts';
import { changeBy } from '../../src/domain/text-shape.ts';
import { zoneToUtc } from '../../src/domain/time-zone.ts';
import { TypedDate } from '../../src/domain/typed-value.ts';

test.each([
  ['Gy年m月d日', '令和6年4月1日', '2024-04-01'],
  ['Gy年m月d日', '令和元年5月1日', '2019-05-01'],
  ['Gy年m月d日', '平成31年4月30日', '2019-04-30'],
  ['Gy年m月d日', '平成31年5月1日', undefined],
  ['Gy年m月d日', '昭和64年1月7日', '1989-01-07'],
  ['Gy年m月d日', '昭和64年1月8日', undefined],
  ['Gy年m月d日', '平成元年1月7日', undefined],
  ['Gy年m月d日', '令和6年2月30日', undefined],
  ['Gy年m月d日', '令和0年4月1日', undefined],
  ['Gy年m月d日', '慶応4年4月1日', undefined],
  ['Gyy.mm.dd', 'R06.04.01', '2024-04-01'],
  ['Gyy.mm.dd', 'H31.05.01', undefined],
  ['Gyy.mm.dd', 's63.12.31', '1988-12-31'],
  ['Gy/m/d', '民國113/4/1', '2024-04-01'],
  // Its years are counted backwards.
  ['Gy/m/d', '民國前1/1/1', undefined],
  ['Gy年m月d日', '明治6年1月1日', '1873-01-01'],
  // A day of the moon's calendar.
  ['Gy年m月d日', '明治5年1月1日', undefined],
  ['Gy年m月d日', '昭和元年12月25日', '1926-12-25'],
  ['Gy年m月d日', '昭和元年12月24日', undefined],
  ['G y/m/d', 'พ.ศ. 2567/4/1', '2024-04-01'],
])('a format with an era reads %s: %s', (pattern, text, date) => {
  expect(dateFormat(pattern)?.date(text)).toBe(date);
});

test('a list of formats reads each text in the one that it has, and none that two read differently', () => {
  const formats = ['dd/mm/yyyy', 'mm/dd/yyyy', 'Gy年m月d日'].map((pattern) => dateFormat(pattern)!);
  const any = anyDateFormat(formats);
  expect(
    ['31/12/2024', '12/31/2024', '令和6年4月1日', '03/04/2024', '04/04/2024', 'x'].map((text) =>
      any.date(text),
    ),
  ).toEqual(['2024-12-31', '2024-12-31', '2024-04-01', undefined, '2024-04-04', undefined]);
});

test('a day that begins at one is a day, and a time that the clocks skipped is none', () => {
  const toUtc = zoneToUtc('America/Santiago')!;
  const days = inZone(dateFormat('dd/mm/yyyy')!, toUtc);
  expect(days.datetime('08/09/2024')).toBe('2024-09-08T04:00:00Z');
  expect(inZone(dateFormat('dd/mm/yyyy HH:MM')!, toUtc).datetime('08/09/2024 00:30')).toBeUndefined();
  expect(instantOf(new TypedDate('2024-09-08'), toUtc)).toBe('2024-09-08T04:00:00Z');
  expect(inZone(anyDateFormat([dateFormat('dd/mm/yyyy')!]), toUtc).datetime('08/09/2024')).toBe(
    '2024-09-08T04:00:00Z',
  );
});

test.each([
  ['JPY', ['triangle'], '▲1,234円', '-1234'],
  ['JPY', ['triangle'], '△ ￥1,234', '-1234'],
  ['JPY', ['leading'], '¥-1,234', '-1234'],
  ['JPY', ['leading'], '-¥1,234', '-1234'],
  ['JPY', ['leading'], '\\1,234', '1234'],
  ['JPY', ['leading'], '１，２３４円', '1234'],
  ['JPY', ['leading'], '1,234 JPY', '1234'],
  ['JPY', ['leading'], '1,234元', undefined],
  ['JPY', ['leading'], '円', undefined],
  ['GBP', ['brackets'], '(£12.50)', '-12.50'],
  ['GBP', ['leading'], '12.50 pounds', undefined],
  ['GBP', ['leading'], '12.50 British pounds', '12.50'],
  ['GBP', ['leading'], '€12.50', undefined],
  ['EUR', ['trailing'], 'EUR 12.50-', '-12.50'],
  ['EUR', ['leading'], '12.50 €', '12.50'],
  ['EUR', ['leading'], '\u221212.50 Euro', '-12.50'],
  ['EUR', ['leading'], '12.50 Europa', undefined],
] as const)('an amount in %s with signs %j: %s', (currency, signs, text, plain) => {
  expect(decimalFormat('.', ',', signs, currency)(text)).toBe(plain);
});

test('a mark of a currency is refused unless it is stated', () => {
  expect(decimalFormat('.', ',')('1,234円')).toBeUndefined();
});

test('texts are normalised before their other changes, also in keys, and checked after them', () => {
  expect(changeBy({ normalize: 'NFKC', digits: true, pad: { width: 6 } })('Ａ－１２３')).toBe('000123');
  const shape = valueShape({ text: { normalize: 'NFKC', replace: [{ pattern: '[^0-9]', with: '' }], check: '^\\d{7}$' } }, undefined)!; // prettier-ignore
  expect(shape('〒１５０－０００１')).toBe('1500001');
  const wrong = shape('〒１５０');
  expect(wrong instanceof Fault && [wrong.code, wrong.detail]).toEqual([
    'no_match',
    expect.stringContaining('check'),
  ]);
  // Digits of full width are the same number.
  const amount = valueShape({ text: { normalize: 'NFKC' } }, 'amount')!;
  expect(amount('１２')).toBe('12');
});
