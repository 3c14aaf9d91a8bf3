/** A text with a question mark for each character that some encoding lacks. */
export function ascii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}
