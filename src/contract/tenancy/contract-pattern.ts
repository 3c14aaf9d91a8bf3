import { RE2JS } from 're2js';

/** A regular expression of a contract. */
export interface ContractPattern {
  test(text: string): boolean;
}

/**
 * Compiles a pattern for an engine whose time grows with the text alone: a contract comes from others, and JavaScript's
 * own engine may never end. undefined where that engine cannot run it: look-around, back-references, repetitions beyond
 * 1,000, or no regular expression at all.
 */
export function contractPattern(pattern: string): ContractPattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.test(text) };
  } catch {
    return undefined;
  }
}

/** The same for a pattern that was tried before; throws where it cannot be run. */
export function triedPattern(pattern: string): ContractPattern {
  const compiled = contractPattern(pattern);
  if (compiled === undefined) throw new Error(`not tried: ${pattern}`);
  return compiled;
}
