import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** This tool's version, as its package says. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
