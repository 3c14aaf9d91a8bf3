import type * as library from 're2js';
import { lazily, load } from './lazily.ts';

const re2js = lazily(() => load('re2js') as typeof library);

/**
 * A regular expression from an untrusted source, on an engine whose time depends only on the length of the
 * text.
 */
export interface SafePattern {
  /** The number of its groups. */
  readonly groups: number;
  test(text: string): boolean;
  /** The first match: its first group, or all of it if it has no group; undefined if there is no match. */
  find(text: string): string | undefined;
  /** The text with every match replaced; `$1` stands for the first group, `$$` for a dollar sign. */
  replace(text: string, by: string): string;
}

/**
 * Compiles a pattern; undefined if the engine cannot run it: look-around, back-references, repetitions beyond 1,000,
 * or no regular expression at all.
 */
export function safePattern(pattern: string): SafePattern | undefined {
  const { RE2JS } = re2js();
  let expression: library.RE2JS;
  try {
    expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
  const groups = expression.groupCount();
  return {
    groups,
    test: (text) => expression.test(text),
    find: (text) => {
      const matcher = expression.matcher(text);
      return matcher.find() ? (matcher.group(Math.min(groups, 1)) ?? '') : undefined;
    },
    replace: (text, by) => expression.matcher(text).replaceAll(by),
  };
}
