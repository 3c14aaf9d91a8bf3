/** The WHATWG name of the encoding that a label such as `latin1` stands for; undefined for one that is not known. */
export function encodingName(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label, { fatal: true });
    // The meaning of its bytes depends on what went before, so that it cannot be read in blocks.
    return encoding === 'iso-2022-jp' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** Whether a text can stand between the cells of a CSV file. */
export function isDelimiter(text: string): boolean {
  return text !== '' && !/["\r\n]/.test(text);
}
