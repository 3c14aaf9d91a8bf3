import { isDeciding, type DecidingOption, type TypedOption } from '../../domain/typed-options.ts';
import { quoted } from '../command-line.ts';
import type { CommandPlace } from './outstanding.ts';

/** Commands that read the export. */
export type ReadingCommand = 'run' | 'validate' | 'plan' | 'reconcile';

/** The options of a run that the other commands do not have. */
export const lacking: Readonly<Record<ReadingCommand, readonly DecidingOption[]>> = {
  run: [],
  validate: ['team'],
  plan: ['team'],
  reconcile: ['with-new', 'encoding', 'delimiter', 'strict-contract', 'documents', 'team'],
};

/** The options of the last run that this command has, as text to append; '' if there are none. */
function optionsOf(command: ReadingCommand, { options = [] }: CommandPlace): string {
  return options
    .filter(({ name }) => isDeciding(name) && !lacking[command].includes(name))
    .map((option) => ` ${optionText(option)}`)
    .join('');
}

function optionText({ name, value }: TypedOption): string {
  return value === undefined ? `--${name}` : `--${name} ${quoted(value)}`;
}

/** Options of the last run that no suggested command has, as a sentence; '' if there are none. */
export function leftOutText({ options = [] }: CommandPlace): string {
  const out = options.filter(({ name }) => !isDeciding(name)).map(optionText);
  return out.length === 0 ? '' : `The last run had ${out.join(' ')}, which this command has not.`;
}

/** The commands that advice names, ready to type: paths and accounts are quoted for a shell. */
export function commandsAt(place: CommandPlace) {
  const { source, supplier, flags } = place;
  const path = source === '' ? 'EXPORT' : quoted(source);
  const of = `${supplier === undefined ? '' : ` --supplier ${quoted(supplier)}`}${flags}`;
  const reading = (command: ReadingCommand): string =>
    `migrate ${command} ${path}${optionsOf(command, place)}${of}`;
  return {
    run: reading('run'),
    validate: reading('validate'),
    plan: reading('plan'),
    reconcile: reading('reconcile'),
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
    validateOther: (other: string) =>
      `migrate validate ${quoted(other)}${optionsOf('validate', place)}${flags}`,
  } as const;
}

export type Commands = ReturnType<typeof commandsAt>;
