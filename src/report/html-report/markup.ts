import { hash } from 'node:crypto';
import { shownText } from '../../domain/foreign-text.ts';

/** Markup that can be put into a page unescaped. Only `html` makes it. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type { Html };
export type Piece = Html | string | number | readonly Piece[];

/**
 * Markup from a template: the template's own text is unchanged, and every text that is put into it is escaped, in
 * content and in quoted attributes alike, so a text from outside can never become markup.
 */
export function html(template: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(template.reduce((markup, text, at) => markup + escaped(pieces[at - 1] ?? '') + text));
}

/**
 * The same one level deeper, as part of a page that has several like it: its ids end in `-suffix`, and its parts are named after
 * what it is about, whose heading has the id `heading`. Neither has a quote.
 */
export function nested(
  content: Html,
  { suffix, heading, about }: { readonly suffix: string; readonly heading: string; readonly about: string },
): Html {
  // Texts from outside are escaped: these quotes are the templates' own.
  const own = content.markup
    .replaceAll(/ id="([^"]+)"/g, ` id="$1-${suffix}"`)
    .replaceAll(/ aria-labelledby="([^"]+)"/g, ` aria-labelledby="$1-${suffix} ${heading}"`)
    .replaceAll(/ role="region"\s+aria-label="([^"]+)"/g, (_, label: string) => {
      return ` role="region" aria-label="${label}, ${escaped(about)}"`;
    });
  return new Html(own.replaceAll(/<(\/?)h2\b/g, '<$1h3'));
}

/** A style or a script within a page. */
export interface EmbeddedText {
  readonly element: Html;
  /** The Content-Security-Policy source that allows this text and no other. */
  readonly source: string;
}

/** A style sheet from a template without placeholders. */
export function css(template: TemplateStringsArray): EmbeddedText {
  return embedded('style', template.join(''));
}

/** A script from its source, which runs when the page is read. */
export function script(source: string): EmbeddedText {
  return embedded('script', source, ' type="module"');
}

function embedded(element: 'style' | 'script', text: string, attributes = ''): EmbeddedText {
  return {
    element: new Html(`<${element}${attributes}>${text}</${element}>`),
    source: `'sha256-${hash('sha256', text, 'base64')}'`,
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(piece: Piece): string {
  if (piece instanceof Html) return piece.markup;
  if (typeof piece === 'object') return piece.map(escaped).join('');
  return shownText(String(piece)).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

interface DataColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Cells of a few words, which are not broken after each. */
  readonly isSentence?: boolean;
}

/**
 * A table with a caption and heads; each row's first cell is its head. It scrolls by itself on a narrow page.
 *
 * @param keys what each row is about, unique in the table: a live page keeps its row while others come and go
 */
export function dataTable(
  caption: string,
  columns: readonly DataColumn[],
  rows: readonly (readonly Piece[])[],
  keys?: readonly (string | number)[],
): Html {
  const heads = columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`);
  const body = rows.map((row, index) => {
    const cells = row.map((cell, at) =>
      at === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="${kind(columns[at])}">${cell}</td>`,
    );
    const key = keys?.[index];
    return key === undefined
      ? html`<tr>
          ${cells}
        </tr> `
      : html`<tr data-key="${key}">
          ${cells}
        </tr> `;
  });
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

function kind({ isNumber, isSentence }: Partial<DataColumn> = {}): string {
  if (isNumber === true) return 'number';
  return isSentence === true ? 'sentence' : 'text';
}
