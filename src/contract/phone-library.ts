import { createRequire } from 'node:module';
import type * as library from 'libphonenumber-js/min';

type PhoneLibrary = typeof library;

const load = createRequire(import.meta.url);
let loaded: PhoneLibrary | undefined;

/** libphonenumber, loaded by the first number that needs it: it has fifty files, and few exports have such a number. */
export function phoneLibrary(): PhoneLibrary {
  return (loaded ??= load('libphonenumber-js/min') as PhoneLibrary);
}
