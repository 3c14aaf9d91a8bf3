import { describe, expect, it } from 'vitest';
import { nothingSent, SentValues } from '../../src/contract/sent-values.ts';
import { platformWords } from '../../src/pipeline/request/platform-words.ts';

const payload = JSON.stringify({
  external_account_number: 'EXT-000042',
  customers: [{ family_name: 'Świętek (née O.)', email: 'Ann@Example.com', title: 'Dr' }],
  amount: 12.5,
  iban: 'DE89370400440532013000',
  notes: [{ body: 'Call\n\nback on Monday' }],
});
const words = (detail: string, sent = payload) =>
  platformWords({ problems: [], code: '', detail, wouldImport: false }, new SentValues(() => [sent]));

describe('the words of a refusal', () => {
  it('are kept as they are where they repeat nothing', () => {
    expect(words('Account already has an active instruction')).toBe(
      'Account already has an active instruction',
    );
    expect(words('')).toBeUndefined();
  });

  it.each([
    ['Account ext-000042 is closed', 'Account <external_account_number> is closed'],
    ['"Świętek (née O.)" is no name', '"<customers.0.family_name>" is no name'],
    ['ann@example.com is taken', '<customers.0.email> is taken'],
    ['Dr is unknown, as in Draft', 'Dr is unknown, as in Draft'],
    ['12.5 is too much', '<amount> is too much'],
    ['Not an IBAN: DE89370400440532013000.', 'Not an IBAN: <iban>.'],
    ['The note "Call back on Monday" exists', 'The note "<notes.0.body>" exists'],
    ['bob@other.example has it', '<email> has it'],
    ['Ring 020 7946 0958 or +44 (20) 7946-0958', 'Ring <number> or <number>'],
  ])('%s', (said, kept) => expect(words(said)).toBe(kept));

  it('are shortened after that, so that no half of a value is left', () => {
    const long = 'x'.repeat(500);
    expect(words(`No: ${long}`, JSON.stringify({ body: long }))).toBe('No: <body>');
    expect(words(long.replaceAll('x', 'word '))).toHaveLength(200);
  });

  it('of a message of one long word are found by looking at it once', () => {
    expect(words('w'.repeat(1_000_000))).toHaveLength(200);
  });

  it('are those of its problems, where it has any', () => {
    const problem = (detail: string) => ({ code: 'invalid', path: '', detail, severity: 'error' as const });
    const problems = ['One.', 'Two.', 'One.'].map(problem);
    expect(platformWords({ problems, code: '', detail: 'Bad', wouldImport: false }, nothingSent)).toBe(
      'One.; Two.',
    );
  });
});
