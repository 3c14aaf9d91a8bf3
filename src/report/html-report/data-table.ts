import { html, type Html, type Piece } from './markup.ts';

export interface DataColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** A table with a caption and heads; each row's first cell is its head. It scrolls by itself on a narrow page. */
export function dataTable(
  caption: string,
  columns: readonly DataColumn[],
  rows: readonly (readonly Piece[])[],
): Html {
  const heads = columns.map(
    ({ title, isNumber }) => html`<th scope="col" class="${kind(isNumber)}">${title}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((cell, at) =>
      at === 0
        ? html`<th scope="row">${cell}</th>`
        : html`<td class="${kind(columns[at]?.isNumber)}">${cell}</td>`,
    );
    return html`<tr>
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

function kind(isNumber = false): string {
  return isNumber ? 'number' : 'text';
}
