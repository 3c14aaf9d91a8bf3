import fc from 'fast-check';
import { afterAll } from 'vitest';
import { removeTemporaryDirectories } from './temporary-directory.ts';

// The same cases each time, so that a change is judged by what it changed. FAST_CHECK_SEED looks for new ones.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });

// Here, since the files of a worker share their modules: a hook of the module itself would run for the first of them alone.
afterAll(removeTemporaryDirectories);
