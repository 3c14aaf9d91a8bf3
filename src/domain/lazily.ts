import { createRequire } from 'node:module';

/** Loads a library at once, for use within `lazily`. */
export const load = createRequire(import.meta.url);

/** A value that is made when it is first needed: a command that has no need of a library starts sooner. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
