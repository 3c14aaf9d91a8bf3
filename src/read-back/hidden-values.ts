import type { PlatformAccount, ReadValue } from './platform-account.ts';

/** What of an account cannot be read, and what nothing is known of. Holds no value. */
export interface HiddenValues {
  /** `notes`, or `notes.body`, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Parts of which the account has nothing: whether their values are readable is not known. */
  readonly untried: readonly string[];
  /** Whether no part is readable. */
  readonly isNothing: boolean;
}

/** Finds what of an account that was read is not readable, without what the configuration leaves out. */
export function hiddenValues({ number: _number, ...parts }: PlatformAccount): HiddenValues {
  const hidden = new Map<string, string>();
  const untried: string[] = [];
  const note = (field: string, reading: ReadValue<unknown>): void => {
    if (reading.kind === 'not-readable' && reading.reason !== 'not_configured')
      hidden.set(field, reading.reason);
  };
  for (const [part, reading] of Object.entries(parts) as [string, ReadValue<unknown>][]) {
    note(part, reading);
    if (reading.kind !== 'present' || !Array.isArray(reading.value)) continue;
    if (reading.value.length === 0) untried.push(part);
    for (const item of reading.value as Readonly<Record<string, ReadValue<unknown>>>[])
      for (const [value, own] of Object.entries(item)) note(`${part}.${value}`, own);
  }
  const isNothing = Object.values(parts).every(({ kind }) => kind === 'not-readable');
  return { hidden, untried, isNothing };
}
