import type * as library from 'libphonenumber-js/min';
import { lazyLibrary } from '../domain/lazy-library.ts';

/** libphonenumber, loaded by the first number that needs it: it has fifty files, and few exports have such a number. */
export const phoneLibrary = lazyLibrary<typeof library>('libphonenumber-js/min');
