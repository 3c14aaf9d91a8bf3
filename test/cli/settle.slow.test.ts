import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { stateSpec } from '../../src/platform/store/schema.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { concluded, linesOfType } from './endings.ts';
import { tool, workspace } from './tool.ts';

const supplier = 'TENTACLE_ENERGY';
const engines = ['SQLite', ...(hasPostgres ? ['PostgreSQL'] : [])] as const;

describe.each(engines)('with a journal in %s', (engine) => {
  const space = workspace();
  let server: PostgresServer | undefined;
  let env: Record<string, string> = {};
  afterAll(async () => {
    await server?.remove();
    space.dispose();
  });
  let source: string;

  const configure = (text: string) => writeFileSync(join(space.directory, '.migraterc'), text);
  const operate = (rules: string) =>
    writeFileSync(join(space.directory, 'operator.yaml'), `faults: { rules: [${rules}] }\n`);
  const settle = (...words: string[]) => tool(['settle', source, ...words, '--json'], space.directory, env);

  /** What was told of each request. */
  const told = (stdout: string) =>
    linesOfType(stdout, 'settled').map(({ account, step, ruling, code }) =>
      [account, step, ruling, code].map(String).join(' '),
    );

  beforeAll(async () => {
    if (engine === 'PostgreSQL') {
      server = await startPostgres();
      env = { ...server.env, MIGRATE_JOURNAL: server.url(await server.makeDatabase()) };
    }
    source = join(space.directory, 'book');
    await generateExport({ directory: source, accounts: 12, seed: 3, shape: 'interface', supplier });
    configure('operator: operator.yaml\npatience: { quietPeriodMs: 0 }\n');
    operate(
      '{ kind: reset, when: after, on: [paymentInstruction], accounts: [EXT-000001] }, ' +
        '{ kind: reset, on: [paymentInstruction], accounts: [EXT-000002] }',
    );
    expect((await tool(['run', source, '--json'], space.directory, env)).code).toBe(8);
    operate('');
  });

  it('a dry run tells what reading would settle, and records nothing', async () => {
    const ended = await settle('--dry-run');
    expect(concluded(ended, 'settle', 8)).toMatchObject({
      ...{ accounts: 2, done: 1, doubled: 0, repeat: 0, uncertain: 1, left: 2, dryRun: true },
    });
    expect(told(ended.stdout).sort()).toEqual([
      'EXT-000001 payment-instruction done null',
      'EXT-000002 payment-instruction null not_on_platform',
    ]);
  });

  it('what may not be read stays as it is', async () => {
    operate('{ kind: read_forbidden, on: [graphql], fields: [AccountType.paymentMethods] }');
    const ended = await settle();
    operate('');
    expect(concluded(ended, 'settle', 8)).toMatchObject({ done: 0, uncertain: 2, left: 2 });
    expect(told(ended.stdout).sort()).toEqual([
      'EXT-000001 payment-instruction null connection_reset',
      'EXT-000002 payment-instruction null connection_reset',
    ]);
  });

  it('another account is not believed', async () => {
    operate('{ kind: read_wrong_account, on: [graphql] }');
    const ended = await settle();
    operate('');
    expect(concluded(ended, 'settle', 8)).toMatchObject({ done: 0, uncertain: 2, left: 2 });
  });

  it('what is there is done, and what is absent is sent again where that settles', async () => {
    configure('operator: operator.yaml\npatience: { quietPeriodMs: 0 }\nreadBack: { absence: settles }\n');
    const ended = await settle();
    expect(concluded(ended, 'settle', 0)).toMatchObject({
      ...{ accounts: 2, done: 1, repeat: 1, uncertain: 0, left: 0, dryRun: false },
    });
    expect((await tool(['run', source, '--json'], space.directory, env)).code).toBe(0);
    const db = openDatabase(join(space.directory, '.migrate/platform.db'), stateSpec);
    const held = db
      .prepare(
        'SELECT account, count(*) AS times FROM payment_instruction WHERE account < 3 GROUP BY account',
      )
      .all();
    db.close();
    expect(held).toEqual([
      { account: 1, times: 1 },
      { account: 2, times: 1 },
    ]);
    const { stdout } = await tool(['history', '--json'], space.directory, env);
    expect(linesOfType(stdout, 'intervention')).toMatchObject([{ command: 'resolve', accounts: 2 }]);
  });

  it('with nothing uncertain, nothing is asked', async () => {
    expect(concluded(await settle(), 'settle', 0)).toMatchObject({ accounts: 0, left: 0 });
  });
});
