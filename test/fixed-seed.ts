import fc from 'fast-check';

// The same cases each time, so that a change is judged by what it changed. FAST_CHECK_SEED looks for new ones.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });
