import {
  isDeciding,
  type DecidingOption,
  type PacingOption,
  type TypedOption,
} from '../../domain/typed-options.ts';
import { quoted } from '../command-line.ts';
import type { CommandPlace } from './outstanding.ts';

/** Commands that read the export. */
export type ReadingCommand = 'run' | 'validate' | 'plan' | 'reconcile';

const pacing: readonly PacingOption[] = ['concurrency', 'rate', 'window', 'time-zone', 'max-failures'];

/** The options of a run that the other commands do not have. */
export const lacking: Readonly<Record<ReadingCommand, readonly DecidingOption[]>> = {
  run: [],
  validate: ['team', ...pacing],
  plan: ['team', ...pacing],
  reconcile: ['with-new', 'encoding', 'delimiter', 'strict-contract', 'documents', 'team', ...pacing],
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

/** What a suggested run leaves out: options of the last run, and suppliers with runs of their own; '' if that is nothing. */
export function leftOutText({ options = [], leftToo = [] }: CommandPlace): string {
  const out = options.filter(({ name }) => !isDeciding(name)).map(optionText);
  const others = leftToo.map((one) => `\`migrate status --supplier ${quoted(one)}\``);
  return [
    ...(out.length === 0 ? [] : [`The last run had ${out.join(' ')}, which this command has not.`]),
    ...(others.length === 0
      ? []
      : [`It continues one supplier. What comes next for the others with work left: ${others.join(', ')}.`]),
  ].join(' ');
}

/** The suppliers that `reconcile`, which takes one, has to be typed for as well; as a sentence, or ''. */
export function othersText({ supplier, among = [] }: CommandPlace): string {
  const others = supplier === undefined ? among.slice(1) : [];
  return others.length === 0
    ? ''
    : `Repeat it with --supplier ${others.map((one) => quoted(one)).join(', ')}.`;
}

/** The commands that advice names, ready to type: paths and accounts are quoted for a shell. */
export function commandsAt(place: CommandPlace) {
  const { source, supplier, flags } = place;
  const path = source === '' ? 'EXPORT' : quoted(source);
  const of = `${supplier === undefined ? '' : ` --supplier ${quoted(supplier)}`}${flags}`;
  const reading = (command: ReadingCommand, own = of): string =>
    `migrate ${command} ${path}${optionsOf(command, place)}${own}`;
  // It compares one supplier at a time.
  const [first = ''] = place.among ?? [];
  const ofRun = place.ofRun === undefined ? of : ` --supplier ${quoted(place.ofRun)}${flags}`;
  const isOfOne = supplier !== undefined || (place.among ?? []).length < 2;
  return {
    run: reading('run', ofRun),
    validate: reading('validate', ofRun),
    plan: reading('plan', ofRun),
    reconcile: reading('reconcile', isOfOne ? of : ` --supplier ${quoted(first)}${flags}`),
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
    resolveGone: `migrate resolve${of} --as gone`,
    resolveFrom: (file: string) => `migrate resolve --from ${file}${flags}`,
    /** The same export under another name. */
    validateOther: (other: string) =>
      `migrate validate ${quoted(other)}${optionsOf('validate', place)}${flags}`,
  } as const;
}

export type Commands = ReturnType<typeof commandsAt>;
