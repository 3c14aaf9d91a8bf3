import { html, type EmbeddedText, type Html } from './markup.ts';
import { patterns } from './patterns.ts';
import { style } from './style.ts';

/** What a page may do besides showing itself. */
export interface PageRights {
  /** It runs this script, which may connect to the page's own server. */
  readonly script?: EmbeddedText;
  /** It sends forms to its own server. */
  readonly sendsForms?: boolean;
}

/**
 * A self-contained page. Its policy lets a browser use this style and this script, and nothing else: should a text ever
 * become markup, it has no effect.
 */
export function pageDocument(title: string, body: Html, { script, sendsForms }: PageRights = {}): string {
  const policy = [
    "default-src 'none'",
    `style-src ${style.source}`,
    ...(script === undefined ? [] : [`script-src ${script.source}`, "connect-src 'self'"]),
    "base-uri 'none'",
    `form-action '${sendsForms === true ? 'self' : 'none'}'`,
  ].join('; ');
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
        ${style.element} ${script === undefined ? '' : script.element}
      </head>
      <body>
        ${patterns()} ${body}
      </body>
    </html> `.markup;
}
