import { quoted } from '../command-line.ts';
import type { CommandPlace } from './outstanding.ts';

/** The commands that advice names, ready to type: paths and accounts are quoted for a shell. */
export function commandsAt({ source, supplier, flags }: CommandPlace) {
  const path = source === '' ? 'EXPORT' : quoted(source);
  const of = `${supplier === undefined ? '' : ` --supplier ${quoted(supplier)}`}${flags}`;
  return {
    run: `migrate run ${path}${of}`,
    validate: `migrate validate ${path}${of}`,
    plan: `migrate plan ${path}${of}`,
    reconcile: `migrate reconcile ${path}${of}`,
    explainEarlier: `migrate explain ${path} --earlier OLD_EXPORT`,
    watch: `migrate status --watch${of}`,
    remote: `migrate status --remote${of}`,
    retry: `migrate retry${of}`,
    numbers: `migrate numbers${of} --out numbers.csv`,
    doctor: `migrate doctor${flags}`,
    restore: `migrate journal restore FILE${flags}`,
    list: (chosen: string) => `migrate list${of} ${chosen}`,
    show: (account: string) => `migrate show ${quoted(account)}${of}`,
    resolve: (account: string, ruling: string) => `migrate resolve ${quoted(account)}${of} ${ruling}`,
    resolveFrom: (file: string) => `migrate resolve --from ${file}${flags}`,
    /** The same export under another name. */
    validateOther: (other: string) => `migrate validate ${quoted(other)}${flags}`,
  } as const;
}

export type Commands = ReturnType<typeof commandsAt>;
