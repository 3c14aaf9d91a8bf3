import { optionNames } from './check-options.ts';

/** Flags of the command line that are settings here. */
const settings = [
  'supplier',
  'team',
  'journal',
  'mapping',
  'encoding',
  'delimiter',
  'contract',
  'strictContract',
];
const timing = ['concurrency', 'rate', 'until', 'window', 'timeZone'];
const known = new Map<string, string>([
  ...optionNames.map((name) => [name, `the option \`${name}\``] as const),
  ...[...settings, ...timing].map((name) => [name, `the setting \`${name}\``] as const),
]);

/** A text of the command line for a program: flags by the names of their options and settings. `own`: options of the command. */
export function ofOptions(text: string, own: readonly string[] = []): string {
  return text.replaceAll(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) => {
    const option = name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
    return known.get(option) ?? (own.includes(option) ? `the option \`${option}\`` : flag);
  });
}
