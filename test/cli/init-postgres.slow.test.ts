import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

describe.skipIf(!hasPostgres)('init of a PostgreSQL database', () => {
  const space = workspace();
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    for (const statement of [
      'CREATE TABLE land (land_id int PRIMARY KEY, iso text)',
      'CREATE TABLE geschaeftspartner (gp_id int PRIMARY KEY, vorname text, nachname text, email text, strasse text, plz text, ort text, land_id int REFERENCES land)',
      'CREATE TABLE "Vertragskonto" ("VK_ID" int PRIMARY KEY, "Vertragskontonr" text UNIQUE, gp_id int REFERENCES geschaeftspartner, seit date)',
      'CREATE SCHEMA abrechnung',
      'CREATE TABLE abrechnung.rechnung (rechnung_id bigint, jahr int, "VK_ID" int REFERENCES "Vertragskonto", betrag numeric(10,2), PRIMARY KEY (rechnung_id, jahr)) PARTITION BY RANGE (jahr)',
      'CREATE TABLE abrechnung.rechnung_2024 PARTITION OF abrechnung.rechnung FOR VALUES FROM (2024) TO (2025)',
      'CREATE TABLE abrechnung.posten (rechnung_id bigint, jahr int, "order" int, FOREIGN KEY (rechnung_id, jahr) REFERENCES abrechnung.rechnung)',
      'CREATE TABLE geheim (geheim_id int PRIMARY KEY, vk int REFERENCES "Vertragskonto")',
      `COMMENT ON TABLE "Vertragskonto" IS 'Ein Konto je Vertrag'`,
      `COMMENT ON COLUMN abrechnung.rechnung.betrag IS 'brutto'`,
      `INSERT INTO land VALUES (1, 'DE')`,
      `INSERT INTO geschaeftspartner SELECT n, 'Änne', 'Muster', 'a' || n || '@example.com', 'Weg ' || n, '01069', 'Probeburg', 1 FROM generate_series(1, 9) AS s(n)`,
      `INSERT INTO "Vertragskonto" SELECT n, 'V-' || n + 700, 10 - n, '2020-01-01' FROM generate_series(1, 9) AS s(n)`,
      `INSERT INTO abrechnung.rechnung SELECT n, 2024, n, n + 0.5 FROM generate_series(1, 9) AS s(n)`,
      `INSERT INTO abrechnung.posten SELECT n, 2024, 1 FROM generate_series(1, 9) AS s(n)`,
      `CREATE ROLE reader LOGIN PASSWORD '${server.password}'`,
      'GRANT USAGE ON SCHEMA abrechnung TO reader',
      'GRANT SELECT ON land, geschaeftspartner, "Vertragskonto", abrechnung.rechnung, abrechnung.posten TO reader',
    ])
      await server.query(statement);
  }, 120_000);
  afterAll(async () => {
    await server.remove();
    space.dispose();
  });

  it('makes the first account valid by the keys of the catalogue, with names in quotes where they need them', async () => {
    const env = { MIGRATE_SOURCE_PASSWORD: server.password };
    const url = server.url().replace(`//${server.user}@`, '//reader@');
    const made = await ranHere(['init', url, '--json'], space.directory, { env });
    expect(made.stderr).toBe('');
    expect(summaryOf(made.stdout)).toMatchObject({
      accounts: { file: 'Vertragskonto', key: 'Vertragskontonr' },
      tables: 5,
    });
    const text = readFileSync(join(space.directory, 'mapping.yaml'), 'utf8');
    const { tables, account } = parse(text) as {
      tables: Record<string, { key: string; query: string }>;
      account: unknown;
    };
    expect(account).toEqual({
      billing_address: {
        street_address: 'strasse',
        locality: 'ort',
        postal_code: 'plz',
        country: 'land_iso',
      },
      customers: [{ given_name: 'vorname', family_name: 'nachname', email: 'email' }],
    });
    expect(Object.keys(tables)).toEqual(['accounts', 'rechnung', 'posten']);
    expect(tables['accounts']?.query).toContain('LEFT JOIN geschaeftspartner AS g ON g.gp_id = v.gp_id');
    expect(tables['rechnung']?.query).toContain('LEFT JOIN "Vertragskonto" AS v ON v."VK_ID" = r."VK_ID"');
    expect(tables['posten']?.query).toContain(
      'LEFT JOIN abrechnung.rechnung AS r ON r.rechnung_id = p.rechnung_id AND r.jahr = p.jahr',
    );
    expect(text).toContain('# Vertragskonto: Ein Konto je Vertrag');
    expect(text).toContain('betrag: numeric(10,2), brutto');
    expect(text).not.toContain('geheim');
    const checked = await ranHere(['validate', '--supplier', 'TENTACLE_ENERGY', '--json'], space.directory, {
      env,
    });
    expect(summaryOf(checked.stdout)).toMatchObject({ accounts: 9, valid: 9, problems: 0 });
  });
});
