/** The WHATWG name of the encoding for a label such as `latin1`; undefined for an unknown label. */
export function encodingName(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label, { fatal: true });
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
