import { chownSync, copyFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { project, tool, workspace, type Ended } from './tool.ts';

/** It signed itself, and names localhost. */
const authority = project('test/postgres/certificates/server.pem');

describe.skipIf(!hasPostgres)('a journal on a server (needs PostgreSQL)', () => {
  const space = workspace();
  const { directory } = space;
  let plain: PostgresServer;
  let encrypted: PostgresServer;
  beforeAll(async () => {
    // The server reads a key only if it is its own.
    chmodSync(directory, 0o755);
    const certificates = join(directory, 'certificates');
    mkdirSync(certificates);
    for (const name of ['server.pem', 'server-key.pem'])
      copyFileSync(project(`test/postgres/certificates/${name}`), join(certificates, name));
    const key = join(certificates, 'server-key.pem');
    chmodSync(key, 0o600);
    if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534);
    const certificate = join(certificates, 'server.pem');
    [plain, encrypted] = await Promise.all([
      startPostgres(),
      startPostgres(['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`]),
    ]);
    for (const server of [plain, encrypted])
      await server.query(
        'CREATE SCHEMA migrate; CREATE TABLE migrate.journal_version AS SELECT 99 AS version',
      );
  });
  afterAll(async () => {
    await Promise.all([plain.remove(), encrypted.remove()]);
    space.dispose();
  });

  const status = (
    server: PostgresServer,
    parameters = '',
    env: Record<string, string> = {},
  ): Promise<Ended> => {
    const url = `${server.url()}${parameters}`.replace('127.0.0.1', 'localhost');
    return tool(['status'], directory, { MIGRATE_JOURNAL: url, ...env });
  };
  /** What a command says as soon as it has got in: this journal is one of a later version. */
  const gotIn = 'written by a newer version';

  it('takes its password from the environment, a file or a command', async () => {
    const file = join(directory, 'password');
    writeFileSync(file, `${plain.password}\n`);
    const none = await status(plain);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('asks for a password');
    const wrong = await status(plain, '', { PGPASSWORD: 'another' });
    expect(wrong.stderr).toContain('refuses the password');
    expect(wrong.stderr).not.toContain('another');
    for (const env of [
      plain.env,
      { MIGRATE_JOURNAL_PASSWORD_FILE: file },
      { MIGRATE_JOURNAL_PASSWORD_COMMAND: `cat ${file}` },
    ]) {
      const { stderr } = await status(plain, '', env);
      expect(stderr).toContain(gotIn);
      expect(stderr).not.toContain(plain.password);
    }
    const failed = await status(plain, '', { MIGRATE_JOURNAL_PASSWORD_COMMAND: 'exit 3' });
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain('ended with code 3');
  });

  it.each([
    ['', gotIn, gotIn],
    ['?sslmode=disable', gotIn, gotIn],
    ['?sslmode=prefer', gotIn, gotIn],
    ['?sslmode=require', 'does not offer TLS', gotIn],
    ['?sslmode=verify-ca', 'does not offer TLS', 'certificate is not accepted'],
    ['?sslmode=verify-full', 'does not offer TLS', 'certificate is not accepted'],
    [`?sslmode=verify-ca&sslrootcert=${authority}`, 'does not offer TLS', gotIn],
    [`?sslmode=verify-full&sslrootcert=${authority}`, 'does not offer TLS', gotIn],
  ])('means by "%s" what PostgreSQL means by it', async (parameters, ofPlain, ofEncrypted) => {
    expect((await status(plain, parameters, plain.env)).stderr).toContain(ofPlain);
    expect((await status(encrypted, parameters, encrypted.env)).stderr).toContain(ofEncrypted);
  });

  it('compares the name in the certificate for verify-full alone', async () => {
    const as = async (mode: string): Promise<string> => {
      const url = `${encrypted.url()}?sslmode=${mode}&sslrootcert=${authority}`;
      return (await tool(['status'], directory, { MIGRATE_JOURNAL: url, ...encrypted.env })).stderr;
    };
    expect(encrypted.host).toBe('127.0.0.1');
    expect(await as('verify-ca')).toContain(gotIn);
    expect(await as('verify-full')).toContain('certificate is not accepted');
  });
});
