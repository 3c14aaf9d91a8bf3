import { expect, it } from 'vitest';
import { html } from '../../../src/report/html-report/markup.ts';

it('keeps every text that is put into it from becoming markup, in content and in attributes', () => {
  const text = `"><script>alert('1')</script> & </style>`;
  const { markup } = html`<p title="${text}">${text}</p>`;
  const inert = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &lt;/style&gt;';
  expect(markup).toBe(`<p title="${inert}">${inert}</p>`);
});

it('takes markup of its own as it is, also in lists, and no text that only looks like it', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<p>${items}${3}${''}</p>`.markup).toBe('<p><li>a</li><li>&lt;b&gt;</li>3</p>');
});

it('shows what would turn the direction of text, or is no character at all', () => {
  expect(html`${'a\u202eb\u0000c'}`.markup).toBe('a\\u202eb\\u0000c');
});
