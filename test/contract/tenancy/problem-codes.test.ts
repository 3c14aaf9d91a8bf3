import { expect, test } from 'vitest';
import { readTenancyContract } from '../../../src/contract/tenancy/tenancy-contract.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts';

test('the same fault has the same code as in the interface document', () => {
  const one = (type: JsonObject) => {
    const schema = { type: 'object', properties: { field: type } };
    const content = { 'application/json': { schema } };
    const read = readTenancyContract(
      JSON.stringify({
        openapi: '3.1.0',
        paths: { '/data-import/validate-account/': { post: { requestBody: { content } } } },
      }),
    );
    return (value: JsonValue) =>
      read
        .check('validate', { field: value })
        .map(({ code }) => code)
        .join();
  };
  const date = one({ type: 'string', format: 'date' });
  expect(['', 7, null, {}, '2024-02-30', '0000-01-01', '2024-02-29'].map(date)).toEqual([
    ...['invalid_date', 'invalid_date', 'null', 'invalid_date', 'invalid_date', 'invalid_date', ''],
  ]);
  const time = one({ type: ['string', 'null'], format: 'date-time' });
  expect(['', 7, null, '2024-02-29', '2024-02-29T10:00:00+01:00'].map(time)).toEqual([
    ...['invalid_datetime', 'invalid_datetime', '', 'invalid_datetime', ''],
  ]);
  const text = one({ type: 'string', minLength: 2, maxLength: 4 });
  expect(['', 'a', 'abcde', null, true].map(text)).toEqual([
    'blank',
    'min_length',
    'max_length',
    'null',
    'invalid',
  ]);
  expect(['', ' '].map(one({ type: 'string', pattern: '\\S' }))).toEqual(['blank', 'blank']);
  const decimal = one({ type: 'string', format: 'decimal', pattern: '^\\d{1,3}\\.\\d{2}$' });
  expect(['1.00', '', 1, null, '1e3'].map(decimal)).toEqual([
    ...['', 'invalid_amount', 'invalid_amount', 'null', 'invalid_amount'],
  ]);
  const whole = one({ type: 'integer', minimum: 0 });
  expect([1, '1', 1.5, -1, null].map(whole)).toEqual([
    ...['', 'invalid_amount', 'invalid_amount', 'invalid_amount', 'null'],
  ]);
  const either = one({ type: ['number', 'string', 'null'], format: 'decimal' });
  expect([1, '1', null, true, 'x'].map(either)).toEqual(['', '', '', 'invalid_amount', 'invalid_amount']);
  const listed = one({ type: 'string', enum: ['A', 'B'] });
  expect(['A', 'C', '', 7, null].map(listed)).toEqual([
    '',
    ...['invalid_choice', 'invalid_choice', 'invalid_choice'],
    'null',
  ]);
  expect(['GB', 'England'].map(one({ type: 'string', format: 'country-code' }))).toEqual([
    '',
    'invalid_country',
  ]);
});
