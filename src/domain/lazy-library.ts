import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A library that its first use loads: a command that has no need of it starts sooner. */
export function lazyLibrary<Library>(name: string): () => Library {
  let loaded: Library | undefined;
  return () => (loaded ??= load(name) as Library);
}
