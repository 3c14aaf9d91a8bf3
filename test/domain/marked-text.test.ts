import { expect, test } from 'vitest';
import { markedText } from '../../src/domain/marked-text.ts';

const text = 'version: 1\r\n# Zähler 令和\r\n';

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with two byte order marks', Buffer.from(`\ufeff\ufeff${text}`)],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('a file that was saved as %s is read', (_name, bytes) => {
  expect(markedText(bytes)).toBe(text);
});

test('bytes of another encoding are no text', () => {
  expect([markedText(Buffer.from('Zähler', 'latin1')), markedText(Buffer.of(0xff, 0xfe, 0x00, 0xd8))]).toEqual([undefined, undefined]); // prettier-ignore
});
