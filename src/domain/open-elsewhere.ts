import { platform } from 'node:os';

/** Windows says the same of rights and of a file that another program has open. */
const deniedThere: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES']);

/**
 * What Windows means by denying a file, with the remedy; follows the file's name. Undefined for other errors, and on other systems, where
 * these errors have one meaning each.
 */
export function openElsewhere(error: unknown, system: string = platform()): string | undefined {
  if (system !== 'win32' || !(error instanceof Error && 'code' in error)) return undefined;
  return deniedThere.has(String(error.code))
    ? 'is denied to this program, or open in another one, such as Excel, an editor or a scanner. Close it there, or check the rights of the file and of its directory, and run again.'
    : undefined;
}
