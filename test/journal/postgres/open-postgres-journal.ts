import pg from 'pg';
import { systemClock } from '../../../src/host/machine.ts';
import { journalAt } from '../../../src/journal/journal-at.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import type { PostgresServer } from '../../postgres/start-postgres.ts';

/** How a test opens journals in one database. */
export interface KeptJournal {
  /** `machine`: the directory of its marks, if it is not the usual one. */
  open(patienceMs?: number, machine?: string): Promise<Journal>;
  /** Sets the clock that leases go by, in ms since the epoch. */
  setClock(ms: number): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Journals in a database, whose leases go by a clock that the caller of each lease sets. `connect`: makes their connections in another
 * way.
 */
export async function postgresJournal(
  server: PostgresServer,
  database: string,
  directory: string,
  port = server.port,
  connect?: (config: pg.ClientConfig) => Promise<pg.Client>,
): Promise<KeptJournal> {
  const client = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database,
    pipeline: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    'CREATE UNLOGGED TABLE public.test_clock (ms bigint); INSERT INTO public.test_clock VALUES (0)',
  );
  let last: Promise<unknown> = Promise.resolve();
  const setClock = (ms: number): Promise<unknown> =>
    (last = last.then(() =>
      client.query({ name: 'set', text: 'UPDATE public.test_clock SET ms = $1', values: [ms] }),
    ));
  const store = (patienceMs: number, machine: string) =>
    journalAt({
      journal: server.url(database).replace(`:${server.port}/`, `:${port}/`),
      synchronous: 'FULL',
      clock: systemClock,
      user: 'nobody',
      directory: machine,
      patienceMs,
      password: () => Promise.resolve(server.password),
      leaseClock: '(SELECT ms FROM public.test_clock)',
      ...(connect === undefined ? {} : { connect }),
    });
  return {
    open: async (patienceMs = 60_000, machine = directory) =>
      atItsTime(await store(patienceMs, machine).open({ create: true }), setClock),
    setClock,
    close: () => client.end(),
  };
}

function atItsTime(journal: Journal, setClock: (ms: number) => Promise<unknown>): Journal {
  return new Proxy(journal, {
    get(target, name) {
      if (name === 'takeLease')
        return async (...args: Parameters<Journal['takeLease']>) => {
          await setClock(args[1]);
          return target.takeLease(...args);
        };
      if (name === 'renewLease')
        return async (...args: Parameters<Journal['renewLease']>) => {
          await setClock(args[3]);
          return target.renewLease(...args);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
