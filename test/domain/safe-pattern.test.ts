import { expect, test } from 'vitest';
import { safePattern } from '../../src/domain/safe-pattern.ts';

const long = `${'a'.repeat(50_000)}!`;

// JavaScript's own engine would not come to an end.
test.each(['^(a+)+$', '^(a|aa)+$', '^(?:a*)*b$'])(
  'a pattern that tries without end comes to one: %s',
  (pattern) => {
    const safe = safePattern(pattern);
    expect(safe?.test(long)).toBe(false);
    expect(safe?.find(long)).toBeUndefined();
    expect(safe?.replace(long, '')).toBe(long);
  },
);

test.each([String.raw`(a)\1`, '(?=a)', 'a{2000}', '('])(
  'a pattern that the engine cannot run is none: %s',
  (pattern) => expect(safePattern(pattern)).toBeUndefined(),
);
