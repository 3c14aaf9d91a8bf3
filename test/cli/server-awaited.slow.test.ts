import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultyNetwork } from '../journal/postgres/faulty-network.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { ended, project, start, summaryOf, tool, workspace } from './tool.ts';

describe.skipIf(!hasPostgres)(
  'a run that starts while the server of its journal is down (needs PostgreSQL)',
  () => {
    let space: ReturnType<typeof workspace>;
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.remove());
    beforeEach(() => {
      space = workspace();
      cpSync(project('fixtures/interface'), join(space.directory, 'export'), { recursive: true });
    });
    afterEach(() => space.dispose());

    const args = ['run', 'export', '--json'];
    const of = async () => ({ ...server.env, MIGRATE_JOURNAL: server.url(await server.makeDatabase()) });

    /** Resolves with the first message on stderr that this fits. */
    const message = (child: ChildProcess, wanted: RegExp): Promise<string> =>
      new Promise((resolve, reject) => {
        if (child.stderr === null) throw new Error('a child without stderr');
        const messages = createInterface({ input: child.stderr });
        messages.on('line', (line) => {
          if (wanted.test(line)) resolve(line);
        });
        messages.on('close', () => reject(new Error(`it never said ${wanted}`)));
      });

    it('waits for it if this machine has used the journal before', async () => {
      const env = await of();
      expect((await tool([...args, '--limit', '10'], space.directory, env)).code).toBe(6);
      await server.stop();
      let run: ChildProcess;
      try {
        run = start(args, space.directory, env);
        expect(await message(run, /nothing listens/)).toMatch(/The run waits for it, for up to 600 s/);
      } finally {
        await server.start();
      }
      const { code, stdout, stderr } = await ended(run);
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/is back\. The run begins\./);
      expect(summaryOf(stdout)).toMatchObject({ accounts: { completed: 50, total: 50 } });
    });

    it('gives the wait up at an interrupt, and once its patience is at an end', async () => {
      const env = await of();
      expect((await tool([...args, '--limit', '10'], space.directory, env)).code).toBe(6);
      await server.stop();
      try {
        const run = start(args, space.directory, env);
        const end = ended(run);
        await message(run, /The run waits for it/);
        run.kill('SIGINT');
        const interrupted = await end;
        expect(interrupted.code, interrupted.stderr).toBe(6);
        expect(interrupted.stderr).toContain(
          'Interrupted while it waited for the journal: nothing was sent. Run the same command again.',
        );
        const impatient = await tool(args, space.directory, { ...env, MIGRATE_JOURNAL_PATIENCE_MS: '150' });
        expect(impatient.code).toBe(2);
        expect(impatient.stderr).toContain('longer than the run waits (journalPatienceMs)');
      } finally {
        await server.start();
      }
    });

    it('ends at once if the journal was never used from here: the address may be wrong', async () => {
      const run = await tool(args, space.directory, {
        ...server.env,
        MIGRATE_JOURNAL: `postgres://postgres@127.0.0.1:1/test`,
      });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('nothing listens at 127.0.0.1:1. Check the address');
      expect(run.stderr).not.toMatch(/waits/);
    });

    it('goes on if the connection is lost while the journal is opened', async () => {
      const { MIGRATE_JOURNAL: journal, ...env } = await of();
      const network = await FaultyNetwork.before(server.port);
      try {
        network.commitsToStop = 1;
        network.commitsToLose = 1;
        const behind = journal.replace(`:${server.port}/`, `:${network.port}/`);
        const run = await tool(args, space.directory, { ...env, MIGRATE_JOURNAL: behind });
        expect(run.code, run.stderr).toBe(0);
        expect(network.commitsToStop + network.commitsToLose).toBe(0);
      } finally {
        await network.close();
      }
    });
  },
);
