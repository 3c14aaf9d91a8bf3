import type * as library from 'libphonenumber-js/min';
import { lazily, load } from '../domain/lazily.ts';

/** libphonenumber, loaded by the first number that needs it: it has fifty files, and few exports have such a number. */
export const phoneLibrary = lazily(() => load('libphonenumber-js/min') as typeof library);
