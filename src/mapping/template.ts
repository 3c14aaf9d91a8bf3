/** A text with columns in braces, such as `{STREET} {NUMBER}`. */
export interface Template {
  /** The columns in it, in order. */
  readonly columns: readonly string[];
  /** The text with the values of the columns, without the white space that empty ones leave. */
  fill(texts: readonly string[]): string;
}

/** Parses a template; `{{` and `}}` stand for braces. undefined if it names no column, or has an unpaired brace. */
export function template(text: string): Template | undefined {
  const columns: string[] = [];
  const fixed: string[] = [];
  let before = '';
  let end = 0;
  for (const { 0: part, 1: column, index } of text.matchAll(/\{\{|\}\}|\{([^{}]+)\}|[^{}]+/g)) {
    if (index !== end) return undefined;
    end += part.length;
    if (column === undefined) before += part.replace(/^(?:\{\{|\}\})$/, part.charAt(0));
    else {
      columns.push(column);
      fixed.push(before);
      before = '';
    }
  }
  if (end !== text.length || columns.length === 0) return undefined;
  return {
    columns,
    fill(texts) {
      const whole = fixed.map((part, at) => part + (texts[at] ?? '')).join('') + before;
      const isWhole = texts.every((filled) => filled !== '');
      return isWhole ? whole : whole.replaceAll(/\s{2,}/g, ' ').trim();
    },
  };
}
