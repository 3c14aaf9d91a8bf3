import { register } from 'node:module';

// Node 20 runs no TypeScript by itself: `node --import .../run-typescript.js file.ts` does, for processes that tests start.
register('./typescript-hook.js', import.meta.url);
