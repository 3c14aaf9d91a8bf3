import { html, type Html } from './markup.ts';
import { style } from './style.ts';

/**
 * A self-contained page. Its policy lets a browser load nothing, run nothing, and use no other style: should a text
 * ever become markup, it has no effect.
 */
export function document(title: string, body: Html): string {
  const policy = `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${style.element}
      </head>
      <body>
        ${body}
      </body>
    </html> `.markup;
}
