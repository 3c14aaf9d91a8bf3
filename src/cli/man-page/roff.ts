/** Text for roff: nothing in it is a request, an escape or a typographic quote or dash. */
export function words(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/^\./gm, '\\&.');
}

export function bold(text: string): string {
  return `\\fB${words(text)}\\fR`;
}

export function section(title: string, ...lines: readonly string[]): string {
  return [`.SH ${title.toUpperCase()}`, ...lines].join('\n');
}

export function subsection(title: string, ...lines: readonly string[]): string {
  return [`.SS ${words(title)}`, ...lines].join('\n');
}

export function paragraph(text: string): string {
  return `.PP\n${words(text)}`;
}

/** A term with its meaning beside or below it. */
export function item(term: string, meaning: string): string {
  return `.TP\n${bold(term)}\n${words(meaning)}`;
}

/** Lines that are printed unchanged. */
export function verbatim(lines: readonly string[]): string {
  return ['.PP', '.RS 4', '.nf', ...lines.map(words), '.fi', '.RE'].join('\n');
}
