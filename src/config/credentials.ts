import { whyUnread } from '../domain/trusted-file.ts';
import type { Config } from './load-config.ts';
import type { ConfigProblem } from './problem.ts';

/** A secret that reveals itself only on request: not in JSON, not in a log, not in an inspector. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }
}

/** The credentials for the platform (interface, section 5): a token used as it is, or the key that obtains one. */
export interface Credentials {
  readonly kind: 'apiKey' | 'token';
  readonly secret: Secret;
  /** The environment variable that holds it, if one does. */
  readonly variable?: string;
}

/** Runs a shell command; `code` is null when it did not end by itself. */
export type RunShellCommand = (
  command: string,
) => Promise<{ readonly code: number | null; readonly stdout: string }>;

/**
 * Finds the credentials: MIGRATE_TOKEN, then MIGRATE_API_KEY, then the file or the command that the configuration
 * names. A problem names the source and never its contents.
 */
export async function resolveCredentials(
  config: Pick<Config, 'apiKeyFile' | 'apiKeyCommand' | 'tokenFile'>,
  env: NodeJS.ProcessEnv,
  runShellCommand: RunShellCommand,
  readFile: (file: string) => Promise<string>,
): Promise<Credentials | ConfigProblem> {
  function fromVariable(kind: Credentials['kind'], variable: string) {
    const text = env[variable];
    return text === undefined || text === '' ? undefined : { ...secretOf(kind, variable, text), variable };
  }

  async function fromFile(kind: Credentials['kind'], key: string, file: string) {
    try {
      return secretOf(kind, file, await readFile(file));
    } catch (error) {
      return unread(key, file, error);
    }
  }

  async function fromCommand(command: string) {
    const { code, stdout } = await runShellCommand(command);
    if (code === 0) return secretOf('apiKey', 'apiKeyCommand', stdout);
    const end = code === null ? 'did not end by itself' : `ended with code ${code}`;
    return { where: 'apiKeyCommand', detail: `the command ${end}. Run it by hand to see why.` };
  }

  const given = fromVariable('token', 'MIGRATE_TOKEN') ?? fromVariable('apiKey', 'MIGRATE_API_KEY');
  if (given !== undefined) return given;
  if (config.tokenFile !== undefined) return fromFile('token', 'tokenFile', config.tokenFile);
  if (config.apiKeyFile !== undefined) return fromFile('apiKey', 'apiKeyFile', config.apiKeyFile);
  if (config.apiKeyCommand !== undefined) return fromCommand(config.apiKeyCommand);
  return {
    where: 'credentials',
    detail:
      'none are configured for this platform. Set MIGRATE_API_KEY or MIGRATE_TOKEN, or name apiKeyFile, apiKeyCommand or tokenFile in .migraterc.',
  };
}

/**
 * The password of the database that a mapping reads: MIGRATE_SOURCE_PASSWORD, then the file or the output of the command
 * that the configuration names; undefined if there is none. A problem names the source and never its contents.
 */
export async function resolveSourcePassword(
  {
    sourcePasswordFile: file,
    sourcePasswordCommand: command,
  }: Pick<Config, 'sourcePasswordFile' | 'sourcePasswordCommand'>,
  env: Readonly<Record<string, string | undefined>>,
  runShellCommand: RunShellCommand,
  readFile: (file: string) => Promise<string>,
): Promise<Secret | ConfigProblem | undefined> {
  const given = env['MIGRATE_SOURCE_PASSWORD'];
  if (given !== undefined && given !== '') return new Secret(given);
  if (file !== undefined)
    try {
      return new Secret(withoutLineEnd(await readFile(file)));
    } catch (error) {
      return unread('sourcePasswordFile', file, error);
    }
  if (command === undefined) return undefined;
  const { code, stdout } = await runShellCommand(command);
  if (code === 0) return new Secret(withoutLineEnd(stdout));
  const end = code === null ? 'did not end by itself' : `ended with code ${code}`;
  return { where: 'sourcePasswordCommand', detail: `the command ${end}. Run it by hand to see why.` };
}

function unread(where: string, file: string, error: unknown): ConfigProblem {
  return { where, detail: `${file} ${whyUnread(error)}` };
}

/** A password may contain blanks, even at its end. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function secretOf(kind: Credentials['kind'], where: string, text: string): Credentials | ConfigProblem {
  const secret = text.trim();
  if (secret === '') return { where, detail: 'is an empty secret.' };
  if (/\s/.test(secret)) return { where, detail: 'has more than one word; it must be the secret only.' };
  return { kind, secret: new Secret(secret) };
}

/**
 * Finds the password of a journal on a server: PGPASSWORD, then the file or the command that the configuration names. Undefined if there is
 * none: the driver then looks it up in the password file. A problem names the source and never its contents.
 */
export async function journalPassword(
  {
    journalPasswordFile: file,
    journalPasswordCommand: command,
  }: Pick<Config, 'journalPasswordFile' | 'journalPasswordCommand'>,
  env: Readonly<Record<string, string | undefined>>,
  runShellCommand: RunShellCommand,
  readFile: (file: string) => Promise<string>,
): Promise<Secret | ConfigProblem | undefined> {
  const variable = env['PGPASSWORD'];
  if (variable !== undefined && variable !== '') return new Secret(variable);
  if (file !== undefined) {
    try {
      return passwordOf('journalPasswordFile', await readFile(file));
    } catch (error) {
      return unread('journalPasswordFile', file, error);
    }
  }
  if (command === undefined) return undefined;
  const { code, stdout } = await runShellCommand(command);
  if (code === 0) return passwordOf('journalPasswordCommand', stdout);
  const end = code === null ? 'did not end by itself' : `ended with code ${code}`;
  return { where: 'journalPasswordCommand', detail: `the command ${end}. Run it by hand to see why.` };
}

/** A password may contain blanks; the end of its line does not belong to it. */
function passwordOf(where: string, text: string): Secret | ConfigProblem {
  const password = text.replace(/\r?\n$/, '');
  return password === '' ? { where, detail: 'is an empty secret.' } : new Secret(password);
}
