import { lexer, type Token, type Tokens } from 'marked';
import { paragraph } from './paragraph.ts';
import { table } from './table.ts';
import type { Page } from './terminal.ts';

/** Longer lines are hard to read. */
const widest = 100;

/** A Markdown guide, laid out for a page. A link to another guide names the command that shows it. */
export function guideText(page: Page, markdown: string): string {
  return blocks({ ...page, columns: Math.min(page.columns, widest) }, lexer(markdown), '');
}

function blocks(page: Page, tokens: readonly Token[], margin: string): string {
  return tokens
    .map((token) => block(page, token, margin))
    .filter((text) => text !== '')
    .join('\n\n');
}

function block(page: Page, token: Token, margin: string): string {
  switch (token.type) {
    case 'heading':
      return page.paint.bold(paragraph(page, inline(token), margin));
    case 'code':
      return (token as Tokens.Code).text.replace(/^(?=.)/gm, `${margin}    `);
    case 'list':
      return list(page, token as Tokens.List, margin);
    case 'table':
      return tableText(page, token as Tokens.Table);
    case 'blockquote':
      return blocks(page, (token as Tokens.Blockquote).tokens, `${margin}  `);
    case 'paragraph':
    case 'text':
      return paragraph(page, inline(token), margin);
    default:
      return '';
  }
}

function list(page: Page, { items, ordered, start, loose }: Tokens.List, margin: string): string {
  return items
    .map((item, at) => {
      const mark = ordered ? `${Number(start) + at}. ` : '- ';
      const body = blocks(page, item.tokens, margin + ' '.repeat(mark.length));
      return `${margin}${mark}${body.slice(margin.length + mark.length)}`;
    })
    .join(loose ? '\n\n' : '\n');
}

function tableText(page: Page, { header, rows }: Tokens.Table): string {
  const columns = header.map((cell) => ({ title: inline(cell), wrap: true }));
  return table(
    page,
    columns,
    rows.map((row) => row.map(inline)),
  );
}

/** The text of a token without its markup, in one line. */
function inline(token: Token | Tokens.TableCell): string {
  if ('type' in token && token.type === 'link') return linkText(token as Tokens.Link);
  if ('type' in token && token.type === 'br') return ' ';
  const inner = 'tokens' in token ? token.tokens : undefined;
  const text = inner === undefined ? ('text' in token ? String(token.text) : '') : inner.map(inline).join('');
  return text.replaceAll(/\s+/g, ' ');
}

function linkText({ href, text }: Tokens.Link): string {
  const guide = /^([a-z-]+)\.md(#.*)?$/.exec(href)?.[1];
  if (guide !== undefined) return `${text === `${guide}.md` ? '' : `${text}: `}migrate help ${guide}`;
  return /^https?:/.test(href) && href !== text ? `${text} (${href})` : text;
}
