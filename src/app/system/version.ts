import { readFileSync } from 'node:fs';
import { packaged } from './packaged.ts';

/** This tool's version, as its package says. */
export function version(): string {
  const text = readFileSync(packaged('package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
