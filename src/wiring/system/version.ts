import { readFileSync } from 'node:fs';

/** This tool's version, as its package says. */
export function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
