import { lazily, load } from './lazily.ts';

/** What a line of the file is found by. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

type Lookup = (login: Login, found: (password: string | undefined) => void) => void;
const pgpass = lazily(() => load('pgpass') as Lookup);

/**
 * The password that PostgreSQL's password file (`~/.pgpass`, `PGPASSFILE`) has for a login; undefined if it has none. The driver
 * reads the file too, but warns that it will not always do so.
 */
export function passwordInFile(login: Login): Promise<string | undefined> {
  return new Promise((resolve) => pgpass()(login, resolve));
}
