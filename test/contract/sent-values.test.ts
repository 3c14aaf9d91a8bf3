import { describe, expect, it } from 'vitest';
import { nothingSent, SentValues } from '../../src/contract/sent-values.ts';

const sent = new SentValues(() => [
  '{"customers":[{"given_name":"Jo","family_name":"Wexelbaum"}],"market":"ELECTRICITY"}',
  Buffer.from('{"notes":[{"body":"Call  back\\non Monday"}],"amount":1234.5,"number":17}'),
  '',
]);

describe('the values that were sent', () => {
  it.each([
    'Wexelbaum',
    'bad_WEXELBAUM_1',
    'jo',
    'jo_is_no_name',
    'call back on monday',
    'at-1234.5',
    'x'.repeat(2100),
  ])('are found in %s', (text) => expect(sent.repeatedIn(text)).toBe(true));

  it.each(['', 'invalid', 'join', 'ELECTRICITY_UNKNOWN', 'code_17', 'Wexel'])('are not in %j', (text) =>
    expect(sent.repeatedIn(text)).toBe(false),
  );

  it('are replaced by their paths, the longest first', () => {
    const said = 'Jo WEXELBAUM: "Call back\non monday" costs 1234.5, not 17';
    expect(sent.replacedIn(said, 600)).toBe(
      'Jo <customers.0.family_name>: "<notes.0.body>" costs <amount>, not <number>',
    );
  });

  it('are none for a request without data', () => {
    expect(nothingSent.repeatedIn('x'.repeat(3000))).toBe(false);
    expect(nothingSent.replacedIn('As it is.', 600)).toBe('As it is.');
  });

  it('of an account of many items are found as fast as those of a small one', () => {
    let read = 0;
    const many = new SentValues(function* () {
      read += 1;
      yield JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ transaction_id: `T-${at}` })));
    });
    const codes = Array.from({ length: 2000 }, (_, at) => `refused_t-${at}`);
    expect(codes.every((code) => many.repeatedIn(code))).toBe(true);
    expect(read).toBe(1);
  });
});
