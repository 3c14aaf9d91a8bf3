import { describe, expect, it } from 'vitest';
import { DatabaseRefused } from '../../src/domain/database-refused.ts';
import { journalNameFault } from '../../src/domain/journal-name.ts';
import { journalAt } from '../../src/journal/journal-at.ts';
import { addressOf } from '../../src/journal/postgres/address.ts';
import { systemClock } from '../../src/host/machine.ts';

const secret = 'hunter2';

describe('the name of a journal', () => {
  it.each([
    '.migrate/journal.db',
    'journal.db',
    '/srv/migration/journal.db',
    '/srv/a=b/x:y@z/journal.db',
    './journal-2026-11-28T01:30.db',
    '../a=b',
    'My documents/journal.db',
    'nights/night=1/journal.db',
    'journal (old).db',
    'Zürich/日誌.db',
    'postgres://db.example.com/books',
    'postgresql://migrate@db.example.com:5433/books?schema=live&sslmode=verify-full',
    'POSTGRES://db.example.com/books',
    'postgres:///books',
    'postgres://[::1]:5432/books',
    'postgres://migrate%40tenant@%2Fvar%2Frun%2Fpostgresql/books',
  ])('may be %s', (name) => {
    expect(journalNameFault(name)).toBeUndefined();
  });

  it.each([
    `"postgres://migrate@db.example.com/books"`,
    `'postgres://migrate@db.example.com/books'`,
    '\u201cpostgres://migrate@db.example.com/books\u201d',
    '\u201epostgres://db.example.com/books',
    '\u00abpostgres://db.example.com/books\u00bb',
    'postgres://db.example.com/books"',
    ' postgres://db.example.com/books',
    '\tpostgres://db.example.com/books',
    'postgres://db.example.com/books ',
    'postgres://db.example.com/books\n',
    'postgres://db.example.com/bo\noks',
    '\u00a0postgres://db.example.com/books',
    '\ufeffpostgres://db.example.com/books',
    '\u200bpostgres://db.example.com/books',
    `host=db.example.com dbname=books user=migrate password=${secret}`,
    `host=db.example.com dbname=books password = '${secret}'`,
    `Server=db.example.com;Database=books;User Id=migrate;Password=${secret}`,
    `Data Source=db.example.com;Pwd=${secret}`,
    `./host=db password=${secret}`,
    'service=books',
    `postgres//migrate:${secret}@db.example.com/books`,
    'postgresql//db.example.com/books',
    `books/migrate:${secret}@db.example.com`,
    `postgres%3A%2F%2Fmigrate%3A${secret}%40db.example.com%2Fbooks`,
    'url=postgres://db.example.com/books',
    'MIGRATE_JOURNAL=postgres://db.example.com/books',
    `jdbc:postgresql://db.example.com/books?user=migrate&password=${secret}`,
    'jdbc:postgresql:books',
    `postgresql+psycopg://migrate:${secret}@db.example.com/books`,
    `postgresql+asyncpg://db.example.com/books`,
    `mysql://migrate:${secret}@db.example.com/books`,
    'psql://db.example.com/books',
    'postgre://db.example.com/books',
    'sqlite:///srv/journal.db',
    'file:///srv/journal.db',
    'file:journal.db',
    'sqlite:journal.db',
    'postgres:db.example.com/books',
    'postgres:/db.example.com/books',
    'postgres:\\\\db.example.com\\books',
    'C:\\migration\\journal.db',
    ':memory:',
    'https://db.example.com/books',
    's3://bucket/journal.db',
    'db.example.com:5432/books',
    'migrate@db.example.com/books',
    `migrate:${secret}@db.example.com/books`,
    `//migrate:${secret}@db.example.com/books`,
    '//db.example.com/books',
    `migrate:${secret}@tcp(db.example.com:5432)/books`,
    'journal.db?mode=ro',
    '$JOURNAL',
    '${JOURNAL_URL}',
    '$(cat journal-url)',
    '%JOURNAL%',
    '{{ .Values.journal }}',
    '<address>',
    '~/journal.db',
    `postgres://migrate:${secret}@db.example.com/books`,
    `postgres://migrate:a@${secret}@db.example.com/books`,
    `postgres://migrate:a/${secret}@db.example.com/books`,
    `postgres://migrate:12/${secret}@db.example.com/books`,
    `postgres://migrate:12?${secret}@db.example.com/books`,
    `postgres://migrate:12#${secret}@db.example.com/books`,
    `postgres://migrate:@db.example.com/books`,
    `postgres://:${secret}@db.example.com/books`,
    `postgres://migrate%3A${secret}@db.example.com/books`,
    `postgres://db.example.com/books?password=${secret}`,
    `postgres://db.example.com/books?PASSWORD=${secret}`,
    `postgres://db.example.com/books?pass=${secret}`,
    `postgres://db.example.com/books?pwd=${secret}`,
    `postgres://db.example.com/books?sslpassword=${secret}`,
    `postgres://db.example.com/books?schema=s&passwd=${secret}`,
    `postgres://db.example.com/books#${secret}`,
    'postgres://',
    'postgres://db.example.com',
    'postgres://db.example.com/',
    'postgres://db.example.com/books/more',
    'postgres://db.example.com/books backup',
    'postgres://db.example.com:port/books',
    'postgres://one.example.com,two.example.com/books',
    'postgres://one.example.com:5432,two.example.com:5432/books',
    'postgres://db.example.com/%zz',
  ])('must not be %j, which is refused with the known forms and without its password', (name) => {
    const fault = journalNameFault(name) ?? '';
    expect(fault).toMatch(/^must be a path, or postgres:\/\/|^must not contain a password/);
    expect(fault).not.toContain(secret);
    const open = (): unknown =>
      journalAt({
        ...{ journal: name, synchronous: 'FULL', user: 'nobody', directory: '/nowhere', patienceMs: 0 },
        ...{ clock: systemClock, password: () => Promise.resolve(undefined) },
      });
    expect(open).toThrow(DatabaseRefused);
    expect(open).toThrow(fault);
  });

  it.each([
    [`postgres://db.example.com/books?application_name=${secret}`, /unknown parameter "application_name"/],
    [`postgres://db.example.com/books?${secret}`, /unknown parameter\. Known/],
    [`postgres://db.example.com/books?sslmode=${secret}`, /unknown sslmode/],
    [`postgres://db.example.com/books?schema=Not%20${secret}`, /names a schema/],
    ['postgres://db.example.com/books?schema=a&schema=b', /schema twice/],
  ])('does not repeat the parameters of %s', (name, message) => {
    expect(() => addressOf(name)).toThrow(message);
    expect(() => addressOf(name)).not.toThrow(secret);
  });
});

it.each([
  String.raw`C:\Users\Anna\.migrate\journal.db`,
  'd:/migration/journal.db',
  String.raw`.\journal.db`,
  String.raw`..\night\journal.db`,
  String.raw`night\journal.db`,
  String.raw`\\server\share\journal.db`,
])('%s is a path on Windows, and none elsewhere', (name) => {
  expect(journalNameFault(name, 'win32')).toBeUndefined();
  expect(journalNameFault(name, 'linux')).toBeDefined();
});

it('a journal is not called as a device on Windows', () => {
  for (const name of ['nul', String.raw`C:\nights\aux.db`, './com1.db', 'night:1.db'])
    expect(journalNameFault(name, 'win32')).toMatch(/^must be a path.*\/database: a part of it/);
  expect(journalNameFault('nul', 'linux')).toBeUndefined();
});

it('a path of Windows in the double quotes of YAML is told so', () => {
  expect(journalNameFault('C:\new\temp.db')).toMatch(/double quotes.*without quotes, or in single ones/);
  expect(journalNameFault('night\n.db')).toMatch(/line break/);
});
