import { expect, it } from 'vitest';
import { tooLargeRequests } from '../../src/pipeline/check/too-large.ts';
import { defaultSettings, planOf } from './harness.ts';

const text = (bytes: number): string => 'x'.repeat(bytes);
const most = 10_000;

it('names what no request may hold, at its item, as a warning', () => {
  const plan = planOf('1', {
    notes: [{ notes: [{ body: text(6000) }, { body: text(20_000) }, { body: text(6000) }] }],
    agreements: [{ tariff_code: 'T' }, { tariff_code: text(30_000) }],
  });
  expect(tooLargeRequests(plan, defaultSettings, most)).toMatchObject([
    { account: '1', step: 'notes', path: 'notes.1', code: 'request_too_large', severity: 'warning' },
    { account: '1', step: 'agreements', path: '', code: 'request_too_large', severity: 'warning' },
  ]);
});

it('says nothing of lists that are divided, or without a setting', () => {
  const plan = planOf('1', { notes: [{ notes: [{ body: text(6000) }, { body: text(6000) }] }] });
  expect(tooLargeRequests(plan, defaultSettings, most)).toEqual([]);
  expect(tooLargeRequests(plan, defaultSettings, undefined)).toEqual([]);
});

it('weighs the data of the account', () => {
  const plan = planOf('1', {}, { metadata: [{ key: 'K', value: { text: text(20_000) } }] });
  expect(tooLargeRequests(plan, defaultSettings, most)).toMatchObject([{ step: 'validate' }]);
});
