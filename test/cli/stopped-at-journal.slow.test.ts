import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultyNetwork } from '../journal/postgres/faulty-network.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { concluded } from './endings.ts';
import { ended, start, tool, workspace, type Ended } from './tool.ts';

const accounts = 120;
const said = 'did not answer within 5 s';

describe.skipIf(!hasPostgres)(
  'a run that is stopped while its journal does not answer (needs PostgreSQL)',
  () => {
    const space = workspace();
    const book = join(space.directory, 'export');
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
      await tool(['generate', book, '--accounts', String(accounts), '--seed', '3'], space.directory);
      for (const file of readdirSync(book)) if (file !== 'accounts.ndjson') rmSync(join(book, file));
    }, 60_000);
    afterAll(async () => {
      await server.remove();
      space.dispose();
    });

    const args = ['run', book, '--json', '--yes'];
    /** A directory and an embedded platform of its own. */
    const placed = (name: string): string => {
      const directory = join(space.directory, name);
      mkdirSync(directory);
      return directory;
    };
    const at = (port: number, database: string): Record<string, string> => ({
      ...server.env,
      MIGRATE_JOURNAL: `postgres://postgres@127.0.0.1:${port}/${database}`,
    });

    /** Another session that holds a table until it is told to release it. */
    async function holding(table: string, database: string): Promise<() => Promise<void>> {
      const { host, port, user, password } = server;
      const holder = new pg.Client({ host, port, user, password, database });
      await holder.connect();
      await holder.query(`BEGIN; LOCK TABLE migrate.${table}`);
      return async () => {
        await holder.query('ROLLBACK');
        await holder.end();
      };
    }

    const told = async (child: ChildProcess, stream: 'stdout' | 'stderr', words: RegExp): Promise<void> => {
      let text = '';
      const output = child[stream];
      if (output === null) throw new Error('a child without output');
      while (!words.test(text)) {
        const [more] = (await once(output, 'data')) as [string | Buffer];
        text += more.toString();
      }
    };

    /** A run of which ten accounts have ended. */
    async function running(directory: string, env: Record<string, string>) {
      const child = start(args, directory, env);
      const end = ended(child);
      await told(child, 'stdout', /(?:"type":"account"[^]*){10}/);
      return { child, end };
    }

    function expectInterrupted(run: Ended): void {
      const { errors } = concluded(run, 'run', 6);
      expect(JSON.stringify(errors)).toContain(said);
      expect(run.stderr).toMatch(/^Interrupted: /m);
    }

    async function expectWhole(directory: string, env: Record<string, string>): Promise<void> {
      const next = await tool(args, directory, env);
      expect(concluded(next, 'run', 0)).toMatchObject({
        accounts: { total: accounts, completed: accounts, uncertain: 0 },
      });
    }

    it('ends though the server is gone, and the next run continues', async () => {
      const directory = placed('gone');
      const env = at(server.port, await server.makeDatabase());
      const { child, end } = await running(directory, env);
      await server.stop('kill');
      try {
        child.kill('SIGTERM');
        expectInterrupted(await end);
      } finally {
        await server.start();
      }
      await expectWhole(directory, env);
    });

    it('ends though the network swallows everything, and the next run continues', async () => {
      const directory = placed('silent');
      const database = await server.makeDatabase();
      const network = await FaultyNetwork.before(server.port);
      try {
        const { child, end } = await running(directory, at(network.port, database));
        network.isSilent = true;
        child.kill('SIGTERM');
        expectInterrupted(await end);
      } finally {
        await network.close();
      }
      await expectWhole(directory, at(server.port, database));
    });

    it('ends though another session holds a table, and the next run continues', async () => {
      const database = await server.makeDatabase();
      const directory = placed('locked');
      const env = at(server.port, database);
      const { child, end } = await running(directory, env);
      const release = await holding('part', database);
      child.kill('SIGTERM');
      expectInterrupted(await end);
      await release();
      await expectWhole(directory, env);
    });

    it.each(['journal_version', 'lease', 'run'])(
      'ends before it begins though another session holds %s, and has sent nothing',
      async (table) => {
        const database = await server.makeDatabase();
        const directory = placed(table);
        const env = at(server.port, database);
        expect((await tool([...args, '--limit', '1'], directory, env)).code).toBe(6);
        const release = await holding(table, database);
        const child = start(args, directory, env);
        const end = ended(child);
        await waiting(database);
        child.kill('SIGTERM');
        expectInterrupted(await end);
        await release();
        await expectWhole(directory, env);
      },
    );

    /** Resolves once a statement waits for the lock. */
    async function waiting(database: string): Promise<void> {
      for (;;) {
        const found = await server.query(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'migrate'",
          database,
        );
        if (found.length > 0) return;
      }
    }
  },
);
