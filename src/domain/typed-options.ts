/** An option of a command line: its name without dashes, and its value; a switch has none. */
export interface TypedOption {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Options of `run` that decide what is read and what is sent of it, or how fast and how far: a command without them does another thing. */
export type DecidingOption =
  | 'with'
  | 'with-new'
  | 'mapping'
  | 'snapshot'
  | 'encoding'
  | 'delimiter'
  | 'contract'
  | 'strict-contract'
  | 'documents'
  | 'team'
  | PacingOption;

/** How fast a run goes, when, and how many failures end it. */
export type PacingOption = 'concurrency' | 'rate' | 'window' | 'time-zone' | 'max-failures';

/** In the order in which commands have them. */
const deciding: Readonly<Record<DecidingOption, true>> = {
  with: true,
  'with-new': true,
  mapping: true,
  snapshot: true,
  encoding: true,
  delimiter: true,
  contract: true,
  'strict-contract': true,
  documents: true,
  team: true,
  concurrency: true,
  rate: true,
  window: true,
  'time-zone': true,
  'max-failures': true,
};

/** Those that choose among the accounts and steps, or are meant for one run. */
const choosing: readonly string[] = ['accounts', 'steps', 'limit', 'until', 'adopt', 'skip-unreadable'];

/** Whether the option is said in each command that continues the work, where the command has it. */
export function isDeciding(name: string): name is DecidingOption {
  return Object.hasOwn(deciding, name);
}

/** The options of a run that its record keeps, in a fixed order. `flags`: as typed, by their names in camel case. */
export function typedOptions(flags: Readonly<Record<string, unknown>>): readonly TypedOption[] {
  return [...Object.keys(deciding), ...choosing].flatMap((name): TypedOption[] => {
    const given = flags[camelCase(name)];
    if (given === undefined || given === false) return [];
    if (given === true) return [{ name }];
    const isRepeated = Array.isArray(given) && (name === 'with' || name === 'contract');
    const values: readonly unknown[] = isRepeated ? given : [given];
    return values.map((value) => ({ name, value: textOf(value) }));
  });
}

function textOf(value: unknown): string {
  if (value instanceof Set) return [...value].join(',');
  // That of --max-failures.
  if (typeof value === 'object' && value !== null && 'percent' in value) return `${String(value.percent)}%`;
  if (typeof value === 'object' && value !== null && 'count' in value) return String(value.count);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
