import { safeJson, shownText } from '../../domain/foreign-text.ts';

/** A foreign text as part of a comment. */
export function oneLine(name: string): string {
  return shownText(name.replaceAll(/\s+/g, ' '));
}

/** A text in a form that every YAML reader reads as text. */
export function quoted(text: string): string {
  const isPlain =
    /^[\p{L}_][\p{L}\p{N}_./-]*$/u.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : safeJson(JSON.stringify(text)).replaceAll(/[^\P{Zs} ]/gu, escaped);
}

/** A space that looks like another one. */
function escaped(space: string): string {
  return `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
