import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const settings = (baseUrl: string): string =>
  `baseUrl: ${baseUrl}\nteam: MIGRATIONS\nretry: { attempts: 1 }\n`;

let space: ReturnType<typeof workspace>;
beforeEach(() => {
  space = workspace();
  writeFileSync(join(space.directory, '.migraterc'), settings('https://platform.invalid/gate'));
});
afterEach(() => space.dispose());

const refusal = 'MIGRATE_API_KEY: it is not sent to https://platform.invalid, because only ';

/** Whether the key of the environment was kept from the address; everything else fails for want of the host. */
async function isKept(args: string[], variables: Record<string, string> = {}): Promise<boolean> {
  const env = { MIGRATE_API_KEY: 'key-of-the-shell', HOME: space.directory, ...variables };
  const { code, stdout, stderr } = await ranHere([...args, '--json'], space.directory, { env });
  expect(code).not.toBe(0);
  return `${stdout}${stderr}`.includes(refusal);
}

it('a key of the environment is kept from an address that only a found file names', async () => {
  expect(await isKept(['doctor'])).toBe(true);
  expect(await isKept(['doctor'], { MIGRATE_BASE_URL: 'https://platform.invalid/gate' })).toBe(false);
  expect(await isKept(['doctor', '--config', '.migraterc'])).toBe(false);
});

it('an address is confirmed once, for the user', async () => {
  expect(await isKept(['doctor', '--confirm-address'])).toBe(false);
  expect(await isKept(['doctor'])).toBe(false);
  const record = join(space.directory, '.config/migrate/confirmed-addresses');
  expect(readFileSync(record, 'utf8')).toBe('https://platform.invalid\n');
  if (process.platform !== 'win32') expect(statSync(record).mode & 0o777).toBe(0o600);
  expect(await isKept(['doctor', '--confirm-address'])).toBe(false);
  expect(readFileSync(record, 'utf8')).toBe('https://platform.invalid\n');
});

it('a confirmed address is that origin only', async () => {
  expect(await isKept(['doctor', '--confirm-address'])).toBe(false);
  writeFileSync(join(space.directory, '.migraterc'), settings('https://platform.invalid:8443'));
  const env = { MIGRATE_API_KEY: 'key-of-the-shell', HOME: space.directory };
  const { stdout } = await ranHere(['doctor', '--json'], space.directory, { env });
  expect(stdout).toContain('it is not sent to https://platform.invalid:8443');
});

it('without a home directory, MIGRATE_BASE_URL is the way', async () => {
  expect(await isKept(['doctor'], { HOME: '' })).toBe(true);
  const { code, stderr } = await ranHere(['doctor', '--confirm-address'], space.directory, { env: {} });
  expect([code, stderr]).toEqual([2, expect.stringContaining('set MIGRATE_BASE_URL instead')]);
});

describe('a password of the environment is kept from a server that only a found file names', () => {
  const env = { HOME: '', PGPASSWORD: 'password-of-the-shell', MIGRATE_SOURCE_PASSWORD: 'another' };
  const told = async (args: string[], variables: Record<string, string> = {}): Promise<string> => {
    const own = { ...env, HOME: space.directory, ...variables };
    const { code, stderr } = await ranHere(args, space.directory, { env: own });
    expect(code).toBe(2);
    return stderr.replaceAll(/\s+/g, ' ');
  };

  it('for the journal', async () => {
    const journal = 'postgres://jo@journal.invalid:5433/book';
    writeFileSync(join(space.directory, '.migraterc'), `journal: ${journal}\n`);
    const kept = 'PGPASSWORD: it is not sent to postgres://journal.invalid:5433, because only ';
    expect(await told(['status'])).toContain(kept);
    expect(await told(['status'], { MIGRATE_JOURNAL: journal })).not.toContain(kept);
    expect(await told(['status', '--config', '.migraterc'])).not.toContain(kept);
    expect(await told(['status'], { PGPASSWORD: '' })).not.toContain(kept);
    await told(['doctor', '--confirm-address']);
    expect(await told(['status'])).not.toContain(kept);
  });

  it('for the database that a mapping reads', async () => {
    writeFileSync(join(space.directory, '.migraterc'), 'mapping: mapping.yaml\n');
    writeFileSync(
      join(space.directory, 'mapping.yaml'),
      `version: 1
source: { driver: postgres, url: "postgres://jo@source.invalid/book" }
tables: { accounts: { query: SELECT 1 AS id, key: id } }
account: { import_supplier: { constant: S } }
`,
    );
    const kept = 'MIGRATE_SOURCE_PASSWORD: it is not sent to postgres://source.invalid, because only ';
    expect(await told(['validate'])).toContain(kept);
    expect(await told(['validate', '--mapping', 'mapping.yaml'])).not.toContain(kept);
    expect(await told(['validate', '--config', '.migraterc'])).not.toContain(kept);
    const other = { MIGRATE_SOURCE_URL: 'postgres://jo@elsewhere.invalid/book' };
    expect(await told(['validate'], other)).not.toContain('it is not sent');
  });
});
