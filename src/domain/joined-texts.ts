/** Between texts; hardly any contains it. */
const mark = '\u001f';

/** Texts as one text: it costs less to store, and to pass to another thread, than a list. */
export function joinTexts(texts: readonly string[]): string {
  const isPlain = texts.length > 0 && !texts.some((text) => text.includes(mark));
  // JSON.parse would take longer: it looks up each short text among those that it knows.
  return isPlain ? `t${texts.join(mark)}` : `j${JSON.stringify(texts)}`;
}

/** The texts that `joinTexts` joined. */
export function splitTexts(joined: string): readonly string[] {
  const text = joined.slice(1);
  return joined.startsWith('j') ? (JSON.parse(text) as string[]) : text.split(mark);
}
