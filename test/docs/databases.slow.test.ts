import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, project, tool, workspace } from '../cli/tool.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

const guide = readFileSync(project('docs/databases.md'), 'utf8');

describe.skipIf(!hasPostgres)('the guide to databases (needs PostgreSQL)', () => {
  const space = workspace();
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    for (const statement of [
      'CREATE TABLE customer (number text, name text)',
      "INSERT INTO customer SELECT lpad(n::text, 4, '0'), 'Customer ' || n FROM generate_series(1, 30) AS s(n)",
      'CREATE TABLE remark (number text, body text, noted timestamptz)',
      "INSERT INTO remark SELECT number, 'Remark', '2024-03-31 12:00:00+00' FROM customer",
      `CREATE ROLE reader LOGIN PASSWORD '${server.password}'`,
      'GRANT SELECT ON customer, remark TO reader',
    ])
      await server.query(statement);
  }, 120_000);
  afterAll(async () => {
    await server.remove();
    space.dispose();
  });

  it('its mapping and its commands go, one after the other', async () => {
    const { directory } = space;
    const mapping = /^```yaml mapping\.yaml\n(.*?)^```$/ms.exec(guide)?.[1] ?? '';
    const ofServer = server.url().replace(`//${server.user}@`, '//reader@');
    expect(ofServer).toContain('//reader@');
    writeFileSync(
      join(directory, 'mapping.yaml'),
      mapping.replace('postgres://reader@db.example.com/billing', ofServer),
    );
    const commands = /^```sh\n(.*?)^```$/ms.exec(guide)?.[1] ?? '';
    const script = [
      'set -e',
      `npx() { shift; "${process.execPath}" "${bin}" "$@"; }`,
      commands.replace('MIGRATE_SOURCE_PASSWORD=...', `MIGRATE_SOURCE_PASSWORD='${server.password}'`),
    ].join('\n');
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
    expect({ status, told: status === 0 ? '' : stderr }).toEqual({ status: 0, told: '' });
    expect(stdout).toContain('30 accounts checked: 30 valid');
    expect(stdout).toContain('They match');
    expect(existsSync(join(directory, 'book/snapshot.manifest'))).toBe(true);
    const told = await tool(['status', '--json'], directory);
    expect(told.stdout).toContain('"completed":30');
  }, 300_000);
});
