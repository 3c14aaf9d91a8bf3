import { describe, expect, it } from 'vitest';
import { jsonLine, shownText, visibleText } from '../../src/domain/foreign-text.ts';

describe('a text from outside', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Jb', String.raw`a\u001b[2Jb`],
    ['one of C1', 'a\u009b2Jb', String.raw`a\u009b2Jb`],
    ['a change of direction', 'a\u202eb', String.raw`a\u202eb`],
    ['a zero-width space', 'a\u200bb', String.raw`a\u200bb`],
    ['a word joiner', 'a\u2060b', String.raw`a\u2060b`],
    ['a soft hyphen', 'a\u00adb', String.raw`a\u00adb`],
    ['a tag', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
    ['a filler that shows nothing', 'a\u3164b', String.raw`a\u3164b`],
    ['a line break', 'a\nb\r\n', String.raw`a\nb\r\n`],
    ['a separator of lines', 'a\u2028b', String.raw`a\u2028b`],
    ['a variant of no character', 'a\ufe0fb', String.raw`a\ufe0fb`],
  ])('shows %s', (_of, text, shown) => {
    expect(shownText(text)).toBe(shown);
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['José Ünal', '山田\u3000太郎', '葛\u{e0100}城', '❤\ufe0f', 'e\u0301', 'שלום', '👩'])(
    'is left as it is where it only has letters, signs and their variants: %s',
    (text) => expect(shownText(text)).toBe(text),
  );

  it('is shortened where it has no blank for a whole screen, and says how long it was', () => {
    expect(shownText(`account ${'7'.repeat(70_000)} is`)).toBe(
      `account ${'7'.repeat(80)}... (70,000 characters) is`,
    );
    expect(shownText(`(account ${'7'.repeat(70_000)}).`)).toBe(
      `(account ${'7'.repeat(80)}... (70,000 characters)).`,
    );
    expect(shownText('7'.repeat(600))).toBe('7'.repeat(600));
    expect(visibleText('7'.repeat(70_000))).toHaveLength(70_000);
  });

  it('is the same value in JSON, with nothing that a terminal acts on', () => {
    const value = { text: 'a\u009b\u202e\u200b\u{e0041}\u00ad\n葛\u{e0100}' };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(line).toBe(String.raw`{"text":"a\u009b\u202e\u200b\udb40\udc41\u00ad\n葛󠄀"}`);
  });
});
