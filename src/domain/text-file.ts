/** Names that programs have for encodings, besides those of the WHATWG. */
const otherNames = new Map([
  ['cp932', 'sjis'],
  ['windows-932', 'sjis'],
  ['ms932', 'sjis'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['windows-936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['cp950', 'big5'],
  ['ms950', 'big5'],
  ['windows-950', 'big5'],
  ['cp874', 'windows-874'],
  ['cp65001', 'utf-8'],
  ['latin9', 'iso-8859-15'],
  ['latin-9', 'iso-8859-15'],
  ['latin-1', 'iso-8859-1'],
  ['latin-2', 'iso-8859-2'],
  ['utf16', 'utf-16'],
  ['utf_8', 'utf-8'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
]);

/** The WHATWG name of the encoding for a label such as `latin1`; undefined for an unknown label. */
export function encodingName(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(otherNames.get(label.trim().toLowerCase()) ?? label, {
      fatal: true,
    });
    // An encoding whose bytes depend on what precedes them, so it cannot be read in blocks.
    return encoding === 'iso-2022-jp' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** Whether a text can be the delimiter of a CSV file. */
export function isDelimiter(text: string): boolean {
  return text !== '' && !/["\r\n]/.test(text);
}
