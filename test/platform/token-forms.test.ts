import { expect, it } from 'vitest';
import { createTokenIssuer } from '../../src/platform/auth/token-issuer.ts';
import { readOperator } from '../../src/platform/read-operator.ts';

it('a tenancy may want the token in another form than the interface, whose platform takes its own alone', () => {
  const reading = readOperator({});
  if (!reading.ok) throw new Error('no operator');
  const { operator } = reading;
  const admitted = (takesAnyForm: boolean): readonly boolean[] => {
    const issuer = createTokenIssuer({
      ...{ secret: () => 'secret', apiKey: 'key', operator: () => operator, takesAnyForm, now: () => 0 },
    });
    const obtained = issuer.obtain({ APIKey: 'key' })?.['token'];
    const token = typeof obtained === 'string' ? obtained : '';
    return [`Token ${token}`, `Bearer ${token}`, token, 'Token other', 'other', ''].map((header) =>
      issuer.admits(header),
    );
  };
  expect(admitted(false)).toEqual([true, false, false, false, false, false]);
  expect(admitted(true)).toEqual([true, true, true, false, false, false]);
});
