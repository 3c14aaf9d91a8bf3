/**
 * PostgreSQL stores no NUL, and its JSON takes no unpaired surrogates. NUL is written as two characters, and so is the
 * character that marks it; the order of texts is kept.
 */
const mark = '\x01';
const nul = `${mark}\x01`;
const own = `${mark}\x02`;
/** What has to be written differently, in the text that JSON.stringify gives. */
const toReplace = /\\u(?:000[01]|d[89a-f])/;

/** A text as it is stored. */
export function stored(text: string): string {
  return text.replaceAll(mark, own).replaceAll('\0', nul);
}

/** A stored text as it was. */
export function restored(text: string): string {
  return text.includes(mark) ? text.replaceAll(nul, '\0').replaceAll(own, mark) : text;
}

/** Rows for `json_to_recordset`: one parameter for any number of rows. */
export function rowsParameter(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  if (!toReplace.test(json)) return json;
  return JSON.stringify(rows, (_, value: unknown) =>
    // As UTF-8 an unpaired surrogate becomes the replacement character.
    typeof value === 'string' ? stored(Buffer.from(value).toString()) : value,
  );
}
