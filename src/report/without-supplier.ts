import type { RunEntry } from '../journal/journal.ts';
import { quoted } from './command-line.ts';
import { counted } from './format.ts';
import { undatedName } from './undated-name.ts';

/** Accounts of exports whose data names no import supplier, as the last run that read each export counted them. */
export interface WithoutSupplier {
  readonly accounts: number;
  /** The export of the newest of these runs, as it was named. */
  readonly export: string;
}

/** Finds them; undefined if there are none. `runs`: newest first. */
export function withoutSupplierIn(runs: Iterable<RunEntry>): WithoutSupplier | undefined {
  const seen = new Set<string>();
  let [accounts, newest] = [0, ''];
  for (const { dryRun, end, export: path } of runs) {
    if (dryRun || end?.withoutSupplier === undefined) continue;
    const named = undatedName(path);
    if (seen.has(named)) continue;
    seen.add(named);
    if (end.withoutSupplier > 0 && accounts === 0) newest = path;
    accounts += end.withoutSupplier;
  }
  return accounts === 0 ? undefined : { accounts, export: newest };
}

/** The same for people. */
export function withoutSupplierText({ accounts, export: path }: WithoutSupplier): string {
  const [names, it] = accounts === 1 ? ['names', 'it'] : ['name', 'them'];
  return `${counted(accounts, 'account')} of ${path === '' ? 'the export' : quoted(path)} ${names} no import supplier that can be read, and nothing was sent of ${it}. The journal has no entry of ${it}.`;
}
