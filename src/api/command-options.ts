import type { ExitCode } from '../domain/exit-codes.ts';
import type { JsonObject } from '../domain/json.ts';
import type { MigrationSettings } from './settings.ts';

/** Which journal and platform a command is about. Relative paths start from `cwd`. */
export interface CommandOptions {
  /** As for `runMigration`; `supplier` among them names the import supplier. */
  readonly settings?: MigrationSettings;
  readonly configFile?: string;
  readonly profile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Aborted: a command that reads from the platform stops in good order, and no more lines of a list are given. */
  readonly signal?: AbortSignal;
}

/** What a command ended with. */
export interface CommandEnding {
  /** The exit code of the command. */
  readonly exit: ExitCode;
  /** The fields of its summary, as `--json` prints them. */
  readonly summary: JsonObject;
}

/** A command under way: its lines as they come, and its end. Lines wait in memory until they are taken. */
export interface CommandLines extends AsyncIterable<JsonObject> {
  /** Resolves when the command has ended, whether or not its lines were taken. */
  readonly ending: Promise<CommandEnding>;
}
