import { expect, test } from 'vitest';
import { wildcard } from '../../src/mapping/nodes/object.ts';

test.each([
  ['*', '', true],
  ['*', 'a.b', true],
  ['a', 'a', true],
  ['a', 'ab', false],
  ['Z_*', 'Z_one', true],
  ['Z_*', 'one', false],
  ['*o*', 'two', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*b', 'ab', false],
  ['a*b*b', 'acbb', true],
  ['*.value', 'a.value', true],
  ['*.value', 'axvalue', false],
  ['**', 'a', true],
  ['(+*', '(+)', true],
])('%s and %s: %s', (pattern, text, fits) => expect(wildcard(pattern)(text)).toBe(fits));

test('a pattern of many stars is looked for once in a long text', () => {
  expect(wildcard(`${'*a'.repeat(40)}*b`)('a'.repeat(1_000_000))).toBe(false);
});
