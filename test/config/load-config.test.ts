import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory, load, loaded, problems, problemsIn, write } from './fixture.ts';

test('without a file, an environment or flags every setting has its default', async () => {
  const dir = directory();
  const config = await loaded(dir);
  expect(config).toMatchObject({
    journal: join(dir, '.migrate/journal.db'),
    synchronous: 'FULL',
    concurrency: 256,
    statementsRefuseKnownIds: true,
    retry: { attempts: 6, baseMs: 500, capMs: 30_000 },
    rules: {},
  });
  expect(config).not.toHaveProperty('baseUrl');
  expect(config).toHaveProperty('file', undefined);
});

test('flags win over the environment, that over the profile, that over the top level of the file', async () => {
  const dir = directory(`
team: top
supplier: top
platformId: top
mapping: top.yaml
concurrency: 2
profile: night
profiles:
  night: { supplier: profile, platformId: profile, concurrency: 3, team: profile }
`);
  const config = await loaded(dir, {
    env: { MIGRATE_PLATFORM_ID: 'environment', MIGRATE_CONCURRENCY: '4', MIGRATE_TEAM: 'environment' },
    flags: { concurrency: '5' },
  });
  expect(config).toMatchObject({
    mapping: join(dir, 'top.yaml'),
    supplier: 'profile',
    platformId: 'environment',
    team: 'environment',
    concurrency: 5,
    profile: 'night',
  });
});

test('groups are merged key by key', async () => {
  const dir = directory(`
retry: { attempts: 2, baseMs: 100 }
rules: { invalid_phone_number: off }
tokenMutation: { variables: { a: '{apiKey}' }, path: /token }
profiles:
  live:
    retry: { attempts: 3 }
    rules: { duplicate_transaction_ids: warning }
    tokenMutation: { variables: { b: '{apiKey}' } }
`);
  const config = await loaded(dir, { flags: { profile: 'live' }, env: { MIGRATE_RETRY_CAP_MS: '9000' } });
  expect(config.retry).toMatchObject({ attempts: 3, throttledAttempts: 100, baseMs: 100, capMs: 9000 });
  expect(config.rules).toEqual({ invalid_phone_number: 'off', duplicate_transaction_ids: 'warning' });
  expect(config.tokenMutation).toEqual({ variables: { b: '{apiKey}' }, path: '/token' });
});

test('the profile is chosen by flag, else by environment, else by the file', async () => {
  const dir = directory('profile: a\nprofiles: { a: { team: a }, b: { team: b }, c: { team: c } }\n');
  expect((await loaded(dir)).team).toBe('a');
  expect((await loaded(dir, { env: { MIGRATE_PROFILE: 'b' } })).team).toBe('b');
  expect((await loaded(dir, { env: { MIGRATE_PROFILE: 'b' }, flags: { profile: 'c' } })).team).toBe('c');
  expect((await loaded(dir, { env: { MIGRATE_PROFILE: '' } })).team).toBe('a');
});

test('the file is found from the working directory upward, and the nearest one counts', async () => {
  const dir = directory('team: outer\n');
  const inner = join(dir, 'a/b');
  mkdirSync(inner, { recursive: true });
  expect(await loaded(inner)).toMatchObject({ team: 'outer', file: join(dir, '.migraterc') });
  write(join(dir, 'a/.migraterc'), '');
  expect(await loaded(inner)).not.toHaveProperty('team');
});

test('paths start from the file that names them, or from the working directory', async () => {
  const dir = directory(
    'mapping: maps/a.yaml\napiKeyFile: keys/a\nlog: { file: night.log, keep: 3 }\nprofiles: { p: { journal: p.db } }\n',
  );
  const cwd = join(dir, 'work');
  mkdirSync(cwd);
  expect(await loaded(cwd)).toMatchObject({
    mapping: join(dir, 'maps/a.yaml'),
    apiKeyFile: join(dir, 'keys/a'),
    log: { file: join(dir, 'night.log'), keep: 3 },
    journal: join(cwd, '.migrate/journal.db'),
  });
  expect((await loaded(cwd, { flags: { profile: 'p' } })).journal).toBe(join(dir, 'p.db'));
  expect((await loaded(cwd, { env: { MIGRATE_JOURNAL: 'e.db' } })).journal).toBe(join(cwd, 'e.db'));
  expect((await loaded(cwd, { flags: { journal: '../f.db' } })).journal).toBe(join(dir, 'f.db'));
});

test('JSON is read as well, tabs included', async () => {
  const dir = directory('{\n\t"retry": {\n\t\t"attempts": 2\n\t},\n\t"team": "A"\n}\n');
  expect(await loaded(dir)).toMatchObject({ team: 'A', retry: { attempts: 2 } });
});

test('--config names another file, which must exist', async () => {
  const dir = directory('team: found\n');
  write(join(dir, 'other.yaml'), 'team: named\n');
  expect((await loaded(dir, { flags: { config: 'other.yaml' } })).team).toBe('named');
  expect(await problems(dir, { flags: { config: 'none.yaml' } })).toEqual([
    '--config: there is no file none.yaml.',
  ]);
  expect(await problems(dir, { flags: { config: '.' } })).toEqual([
    '.: is a directory, not a configuration file.',
  ]);
});

test.skipIf(process.getuid?.() === 0)(
  'an unreadable file is a problem, not an absent one (needs a user other than root)',
  async () => {
    const dir = directory('team: A\n');
    chmodSync(join(dir, '.migraterc'), 0);
    expect(await problems(dir)).toEqual(['.migraterc: cannot be read (EACCES); check its permissions.']);
  },
);

test('a platform id goes with the address beside it, never with another one', async () => {
  const dir = directory('baseUrl: https://live.example.com\nplatformId: live\n');
  expect((await loaded(dir)).platformId).toBe('live');
  const elsewhere = await loaded(dir, { env: { MIGRATE_BASE_URL: 'http://127.0.0.1:8080' } });
  expect(elsewhere).not.toHaveProperty('platformId');
});

test('the credentials of a profile replace those of the top level', async () => {
  const dir = directory('apiKeyFile: a.key\nprofiles: { p: { tokenFile: p.token } }\n');
  const config = await loaded(dir, { flags: { profile: 'p' } });
  expect(config.tokenFile).toBe(join(dir, 'p.token'));
  expect(config).not.toHaveProperty('apiKeyFile');
});

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://API.example.com:443/', 'https://api.example.com'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.1.2.3:80', 'http://127.1.2.3'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
  ['https://gateway.example.com/kraken/', 'https://gateway.example.com/kraken'],
])('the address %s is taken as %s', async (address, origin) => {
  expect((await loaded(directory(`baseUrl: ${address}\n`))).baseUrl).toBe(origin);
});

test.each([
  ['http://api.example.com', 'must use https: plain http is allowed for this machine only'],
  ['http://127.0.0.1.example.com', 'must use https'],
  ['http://localhost.example.com', 'must use https'],
  ['http://0.0.0.0:8080', 'must use https'],
  ['ftp://api.example.com', 'must begin with https://'],
  ['api.example.com', 'must be an address such as https://api.example.com'],
  ['https://api.example.com/v1/', 'must end before /v1/'],
  ['https://api.example.com/kraken/v1/data-import', 'must end before /v1/'],
  ['https://api.example.com/kraken?tenant=1', 'must end after its path'],
  [
    'https://me:hunter2@api.example.com',
    'must not contain a user name or password; set MIGRATE_API_KEY instead',
  ],
])('the address %s is refused', async (address, detail) => {
  const [problem = '', ...others] = await problemsIn(`team: A\nbaseUrl: ${address}\n`);
  expect(others).toEqual([]);
  expect(problem).toContain(`.migraterc:2: baseUrl ${detail}`);
  expect(problem).not.toContain('hunter2');
});

test('every unknown key is named with its line and the key that was meant, in every profile', async () => {
  const text = `
concurency: 16
retry:
  attemps: 3
rules:
  invalid_phone: off
profiles:
  live:
    timeouts: { conectMs: 1 }
  spare:
    retry: { zz: 1 }
    profile: live
`;
  expect(await problemsIn(text)).toEqual([
    '.migraterc:2: unknown key "concurency". Did you mean "concurrency"?',
    '.migraterc:4: unknown key "attemps" in retry. Did you mean "attempts"?',
    '.migraterc:6: unknown key "invalid_phone" in rules. Did you mean "invalid_phone_number"?',
    '.migraterc:9: unknown key "conectMs" in timeouts. Did you mean "connectMs"?',
    '.migraterc:11: unknown key "zz" in retry. See .migraterc.example for all keys.',
    '.migraterc:12: unknown key "profile". Did you mean "profiles"?',
  ]);
});

test('a value out of bounds is named with its line and what it must be', async () => {
  const text = `
concurrency: 0
team:
synchronous: full
agreementsMayRepeat: perhaps
retry: 5
timeouts: { bodyMs: 1.5 }
rules: { invalid_phone_number: loud }
tokenMutation: { path: token }
`;
  expect(await problemsIn(text)).toEqual([
    '.migraterc:2: concurrency must be a whole number from 1 to 1,000.',
    '.migraterc:3: team must be text.',
    '.migraterc:4: synchronous must be FULL or NORMAL.',
    '.migraterc:5: agreementsMayRepeat must be true or false.',
    '.migraterc:6: retry must contain keys.',
    '.migraterc:7: timeouts.bodyMs must be a whole number from 1 to 86,400,000.',
    '.migraterc:8: rules.invalid_phone_number must be off, warning or error.',
    '.migraterc:9: tokenMutation.path must be a path that begins with /.',
  ]);
  expect(await problemsIn('retry: { baseMs: 1000, capMs: 10 }\n')).toEqual([
    'retry: capMs must not be less than baseMs.',
  ]);
});

test('the line of a setting that comes from an alias is that of its anchor', async () => {
  const text = 'profiles:\n  a: &shared\n    concurrency: none\n  b: *shared\n';
  const said = '.migraterc:3: concurrency must be a whole number from 1 to 1,000.';
  expect(await problemsIn(text)).toEqual([said, said]);
});

test('a wrong value in the environment or in a flag is named by variable or flag', async () => {
  const dir = directory();
  const input = {
    env: { MIGRATE_CONCURRENCY: 'many', MIGRATE_RETRY_BASE_MS: '-1', MIGRATE_CHECK_PREVIOUSLY_ADDED: 'true' },
    flags: { concurrency: '0', timeZone: 'nowhere' },
  };
  expect(await problems(dir, input)).toEqual([
    '--concurrency: must be a whole number from 1 to 1,000.',
    '--time-zone: must be a time zone, such as Europe/Berlin.',
    'MIGRATE_CONCURRENCY: must be a whole number from 1 to 1,000.',
    'MIGRATE_RETRY_BASE_MS: must be a whole number from 1 to 86,400,000.',
  ]);
});

test('an empty variable counts as none, and a numeric-looking name stays a text', async () => {
  const config = await loaded(directory(), { env: { MIGRATE_CONCURRENCY: '', MIGRATE_TEAM: '007' } });
  expect(config).toMatchObject({ concurrency: 256, team: '007' });
});

test('a variable that is no setting is named, with the one that was meant', async () => {
  const env = {
    MIGRATE_BASEURL: 'https://live.example',
    MIGRATE_RULES: 'off',
    MIGRATE_OLD: '',
    MIGRATE_API_KEY: 'k',
  };
  expect(await problems(directory(), { env })).toEqual([
    'MIGRATE_BASEURL: no setting has this name. Did you mean MIGRATE_BASE_URL?',
    'MIGRATE_RULES: no setting has this name. Did you mean MIGRATE_RATE?',
  ]);
});

test('a secret in the file is refused with the remedy, and never repeated', async () => {
  const text = 'api_key: sk_live_123\nprofiles:\n  live:\n    token: sk_live_123\n';
  const said = await problemsIn(text);
  expect(said).toEqual([
    '.migraterc:1: the secret "api_key" does not belong in this file. Name a file (apiKeyFile) or a command (apiKeyCommand) that gives it, or set MIGRATE_API_KEY.',
    '.migraterc:4: the secret "token" does not belong in this file. Name a file that holds it (tokenFile), or set MIGRATE_TOKEN.',
  ]);
});

test('a value that may be a secret is not repeated, whatever is wrong with it', async () => {
  const texts = [
    'baseUrl: sk_live_123\n',
    'concurrency: sk_live_123\n',
    'apiKey: sk_live_123: x\n',
    'team: [sk_live_123]\n',
    'team: "sk_live_123\n',
    'team: A\n] sk_live_123\n',
    '- sk_live_123\n',
  ];
  for (const text of texts) {
    const said = await problemsIn(text);
    expect(said).not.toEqual([]);
    expect(said.join('\n')).not.toContain('sk_live');
  }
});

test('two sources of one secret in the same place are refused', async () => {
  expect(await problemsIn('apiKeyFile: a\ntokenFile: b\n')).toEqual([
    '.migraterc:2: keep one of apiKeyFile and tokenFile, which all name the same secret.',
  ]);
});

test.each([
  ['team: A\n\tteam: B\n', '.migraterc:2:1: not valid YAML: indent with spaces, not with tabs.'],
  [
    'mapping: "C:\\Users\\me.yaml"\n',
    '.migraterc:1:13: not valid YAML: in double quotes, YAML takes a backslash',
  ],
  [
    'mapping: "C:\\temp\\new.yaml"\n',
    '.migraterc:1: mapping is not a path: in double quotes, YAML takes a backslash',
  ],
  ['contract: ["C:\\new.yaml"]\n', '.migraterc:1: contract'],
  ['journal: "C:\\temp\\new.db"\n', '.migraterc:1: journal must be a path'],
  ['team: A\nteam: B\n', '.migraterc:2:1: not valid YAML: this key occurs twice; keep one.'],
  [
    'team: A\n supplier: B\n',
    '.migraterc:1:7: not valid YAML: check the indentation here and on the next line',
  ],
  ['retry: {attempts: 3\nteam: A\n', '.migraterc:2:1: not valid YAML'],
  ['---\nteam: A\n---\nteam: B\n', '.migraterc:3:1: not valid YAML: keep one document'],
  ['team: *none\n', '.migraterc: not valid YAML: an alias (*) names an anchor (&) that does not exist'],
  ['- team\n', '.migraterc: must be a list of `key: value` lines, or a JSON object.'],
  ['just words\n', '.migraterc: must be a list of `key: value` lines, or a JSON object.'],
  ['profile: 1\n', '.migraterc:1: profile must be the name of a profile.'],
  ['profiles: [live]\n', '.migraterc:1: profiles must contain profiles by name.'],
  ['profiles:\n  live: yes\n', '.migraterc:2: the profile "live" must contain keys.'],
  ['profils: {}\n', '.migraterc:1: unknown key "profils". Did you mean "profile"?'],
  ['__proto__: { team: A }\n', '.migraterc:1: unknown key "__proto__"'],
])('the malformed file %j is refused with its line', async (text, said) => {
  const [problem, ...others] = await problemsIn(text);
  expect(problem).toContain(said);
  expect(others).toEqual([]);
});

test('a command of several lines that begins with a drive is none of the paths in which YAML took a backslash', async () => {
  expect(await problemsIn('apiKeyCommand: |\n  C:\\tools\\key.exe --tenant x\n')).toEqual([]);
});

test('an unknown profile is named with where it was asked for and the profiles there are', async () => {
  const text = 'team: A\nprofile: sandbx\nprofiles: { sandbox: {}, live: {} }\n';
  const dir = directory(text);
  expect(await problems(dir)).toEqual([
    '.migraterc:2: there is no profile "sandbx" in .migraterc. Did you mean "sandbox"?',
  ]);
  expect(await problems(dir, { flags: { profile: 'production' } })).toEqual([
    '--profile: there is no profile "production" in .migraterc. Its profiles are sandbox, live.',
  ]);
  const empty = directory();
  const config = await load(empty, { env: { MIGRATE_PROFILE: 'live' } });
  expect(config).toEqual({
    problems: [
      {
        where: 'MIGRATE_PROFILE',
        detail: `there is no profile "live": no .migraterc was found in ${empty} or above it.`,
      },
    ],
  });
});
