import { expect, it } from 'vitest';
import { codeChanges, sampleOfCodes } from '../../src/domain/code-sample.ts';

const table = { K01: 'DAY', K02: 'NIGHT', K03: 'FLAT' };
const sampled = (codes: Readonly<Record<string, string>>): string => sampleOfCodes(Object.entries(codes));

it('finds the codes of both tables that have another value', () => {
  expect(codeChanges(sampled(table), sampled({ ...table, K02: 'DAY', K04: 'NEW' }))).toEqual({
    codes: 3,
    changed: 1,
    isExchange: false,
  });
});

it('knows values that changed places', () => {
  const exchanged = { ...table, K01: 'FLAT', K03: 'DAY' };
  expect(codeChanges(sampled(table), sampled(exchanged))).toEqual({ codes: 3, changed: 2, isExchange: true });
});

it('takes independent corrections of values that other codes have for no exchange', () => {
  const flags = { A: 'yes', B: 'no', C: 'yes', D: 'no' };
  expect(codeChanges(sampled(flags), sampled({ ...flags, A: 'no', B: 'yes' }))).toEqual({
    codes: 4,
    changed: 2,
    isExchange: false,
  });
});

it('does not depend on the order of the codes, and finds nothing in the same table', () => {
  const reversed = sampleOfCodes(Object.entries(table).reverse());
  expect(reversed).toBe(sampled(table));
  expect(codeChanges(sampled(table), reversed)).toMatchObject({ changed: 0, isExchange: false });
});

it('stays small for a large table, and estimates the share that changed', () => {
  const large = (changed: number) =>
    sampleOfCodes(
      Array.from({ length: 50_000 }, (_, at) => [`C${at}`, at < changed ? 'NEW' : 'OLD'] as const),
    );
  expect(large(0).length).toBeLessThan(3000);
  const { codes, changed } = codeChanges(large(0), large(25_000));
  expect(codes).toBe(256);
  expect(changed / codes).toBeGreaterThan(0.4);
  expect(changed / codes).toBeLessThan(0.6);
});
