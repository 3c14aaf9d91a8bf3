import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { makeDirectory } from '../../domain/make-directory.ts';
import { FileNotTrusted, readTrustedText } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';

type Variables = Pick<Environment, 'env'>;

/** A secret of the environment, and where it would go. */
interface SecretOnItsWay {
  /** Holds the secret. */
  readonly variable: string;
  readonly address: string;
  /** Whether only a file that was found has the address. */
  readonly isFound: boolean | undefined;
  /** What names the address on purpose. */
  readonly instead: string;
  /** Whether `doctor --confirm-address` does not know the address. */
  readonly isElsewhere?: boolean;
}

/**
 * Throws CannotStart if a secret of the environment would go to an address that nobody named or confirmed: a
 * configuration that was found may have come with somebody else's files.
 */
export async function requireConfirmed(
  environment: Variables,
  { file = '' }: Pick<Config, 'file'>,
  { variable, address, isFound, instead, isElsewhere }: SecretOnItsWay,
): Promise<void> {
  if (isFound !== true || isLoopback(address)) return;
  const origin = originOf(address);
  if ((await confirmed(environment)).has(origin)) return;
  throw new CannotStart(
    exitCodes.usage,
    `${variable}: it is not sent to ${origin}, because only ${file} names this address, and the file was found, not named. ` +
      `If the address is right, ${isElsewhere === true ? '' : 'confirm it once: migrate doctor --confirm-address. Or '}${instead}, or name the file with --config.`,
  );
}

/** An origin also where the scheme has none of its own, such as that of a database. */
function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  // A path is a socket of this machine.
  return /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+|%2f.*|)$/i.test(hostname);
}

/** Records that secrets of this user's environment may go to the address; gives the record's path. Throws CannotStart. */
export async function confirmAddress(environment: Variables, address: string): Promise<string> {
  const record = recordOf(environment);
  if (record === undefined)
    throw new CannotStart(
      exitCodes.usage,
      'There is no home directory to record the confirmation in. Set HOME, or set MIGRATE_BASE_URL instead.',
    );
  const origin = originOf(address);
  if ((await confirmed(environment)).has(origin)) return record;
  try {
    makeDirectory(dirname(record), 0o700);
    appendFileSync(record, `${origin}\n`, { mode: 0o600 });
  } catch (error) {
    throw unusable(record, 'written', error);
  }
  return record;
}

async function confirmed(environment: Variables): Promise<ReadonlySet<string>> {
  const record = recordOf(environment);
  if (record === undefined) return new Set();
  try {
    return new Set((await readTrustedText(record)).split('\n'));
  } catch (error) {
    if (isAbsent(error)) return new Set();
    throw unusable(record, 'read', error);
  }
}

function recordOf({ env }: Variables): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const base = env['XDG_CONFIG_HOME'] ?? (home === '' ? '' : join(home, '.config'));
  return base === '' ? undefined : join(base, 'migrate', 'confirmed-addresses');
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function unusable(record: string, act: string, error: unknown): CannotStart {
  if (error instanceof FileNotTrusted)
    return new CannotStart(exitCodes.usage, `${error.path} ${error.reason}`);
  if (!(error instanceof Error && 'code' in error)) throw error;
  return new CannotStart(
    exitCodes.usage,
    `${record} cannot be ${act} (${String(error.code)}). Check its permissions, or set MIGRATE_BASE_URL instead.`,
  );
}
