import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemShell } from '../../src/cli/shell.ts';
import { generateExport } from '../../src/generate/generate-export.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { operatorSchema } from '../../src/platform/operator.ts';
import { startPlatform, type RunningPlatform } from '../../src/platform/platform.ts';
import { concluded } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
let live: RunningPlatform;
let sandbox: RunningPlatform;

function started(name: string): Promise<RunningPlatform> {
  const { clock, random } = systemShell();
  return startPlatform({
    ...{ stateFile: join(directory, `${name}.db`), operator: operatorSchema.parse({}), clock, random },
    ...{ port: 0, host: '127.0.0.1', control: false, log: () => undefined },
  });
}

beforeAll(async () => {
  [live, sandbox] = [await started('live'), await started('sandbox')];
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 2,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
});
afterAll(async () => {
  await live.close();
  await sandbox.close().catch(() => undefined);
  space.dispose();
});

function configure(settings: Record<string, unknown> = {}, platforms = { live, sandbox }): void {
  for (const [name, { apiKey }] of Object.entries(platforms))
    writeFileSync(join(directory, `${name}.key`), apiKey, { mode: 0o600 });
  const profiles = {
    live: { baseUrl: platforms.live.url, apiKeyFile: 'live.key' },
    sandbox: { baseUrl: sandbox.url, apiKeyFile: 'sandbox.key' },
  };
  writeFileSync(
    join(directory, '.migraterc'),
    JSON.stringify({ unattended: true, team: 'MIGRATIONS', ...settings, profiles }),
  );
}
const night = (...flags: string[]) => ranHere(['run', 'export', '--yes', '--json', ...flags], directory);

it('an unattended run goes to the platform that was meant, and names it', async () => {
  configure();
  const first = concluded(await night('--profile', 'live'), 'run', 0);
  expect(first).toMatchObject({ platform: live.url, profile: 'live', rehearsal: false });

  const rehearsal = concluded(await night(), 'run', 2);
  expect(rehearsal).toMatchObject({ platform: 'embedded', profile: null, rehearsal: true });
  for (let nights = 0; nights < 2; nights += 1) {
    const other = concluded(await night('--profile', 'sandbox'), 'run', 2);
    expect(other).toMatchObject({ profile: 'sandbox', stopReason: 'not-begun', workLeft: true });
    expect(String(other['errors'])).toContain('its last run was on');
  }
  concluded(await night('--profile', 'live'), 'run', 0);
  const history = await ranHere(['history'], directory);
  expect(history.stdout.match(/could not start/g)).toHaveLength(3);
});

it('a platform that is not platformId is refused, whatever the journal has', async () => {
  configure({ platformId: 'another', journal: 'fresh/journal.db' });
  const ended = concluded(await night('--profile', 'sandbox'), 'run', 2);
  expect(String(ended['errors'])).toContain('not platformId another');
  configure({ platformId: live.platformId, journal: 'fresh/journal.db' });
  concluded(await night('--profile', 'sandbox'), 'run', 2);
  // It has the accounts, which this journal did not create.
  concluded(await night('--profile', 'live'), 'run', 3);
});

it('a night whose profile no settings have is told and recorded', async () => {
  const told = join(directory, 'typo.json');
  configure({ journal: 'typo/journal.db', notify: { command: `cat >${told}` } });
  const journal = openJournal(join(directory, 'typo/journal.db'), { synchronous: 'NORMAL', create: true });
  await journal.close();
  const why = 'there is no profile "lvie"';
  const ended = concluded(await night('--profile', 'lvie'), 'run', 2);
  expect(String(ended['errors'])).toContain(why);
  const notice: unknown = JSON.parse(readFileSync(told, 'utf8'));
  expect(notice).toMatchObject({ event: 'failure', exit: 2, night: { good: false, reason: 'not-begun' } });
  const { stdout } = await ranHere(['morning'], directory);
  for (const text of [JSON.stringify(notice), stdout.replaceAll(/\s+/g, ' ')])
    expect(text.replaceAll('\\"', '"')).toContain(why);
});

it('a night on another platform than the night before is told in the morning, by notification and by metric', async () => {
  const told = join(directory, 'told.json');
  const journal = { journal: 'moved/journal.db', unattended: false, notify: { command: `cat >${told}` } };
  const once = ['--limit', '1', '--metrics-file', 'moved.prom'];
  const goodness = () =>
    /^migrate_night_good (\d)$/m.exec(readFileSync(join(directory, 'moved.prom'), 'utf8'))?.[1];
  configure(journal);
  concluded(await night('--profile', 'sandbox', ...once), 'run', 6);
  expect(goodness()).toBe('1');
  concluded(await night('--profile', 'live', '--adopt', ...once), 'run', 6);
  expect(goodness()).toBe('0');
  expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
    event: 'failure',
    exit: 6,
    night: { good: false, reason: 'other-platform' },
  });
  const { stdout } = await ranHere(['morning', '--json'], directory);
  expect(concluded({ code: 2, stdout, stderr: '' }, 'morning', 2)).toMatchObject({
    ...{ good: false, reason: 'other-platform', canWait: false },
    accounts: { total: 2 },
  });
});

it('a platformId that the settings no longer have is named, and no page is suspected where nothing was asked', async () => {
  configure({ journal: 'unnamed/journal.db' });
  const journal = openJournal(join(directory, 'unnamed/journal.db'), { synchronous: 'NORMAL', create: true });
  const address = 'https://platform.example';
  const run = { dryRun: false, export: 'export', startedAt: 1 };
  await journal.startRun({ ...run, platform: 'tenancy-1', platformLabel: address });
  await journal.close();
  const moved = { env: { MIGRATE_BASE_URL: address } };
  const { code, stdout, stderr } = await ranHere(
    ['run', 'export', '--yes', '--json', '--profile', 'live'],
    directory,
    moved,
  );
  const ended = concluded({ code, stdout, stderr }, 'run', 2);
  expect(String(ended['errors'])).toContain(
    `run 1 was on ${address} with platformId tenancy-1, which no setting names now. The profile is live. Set platformId to tenancy-1 again.`,
  );
});

it('a platformId at another address is refused every night, with the true address, and doctor says so before the night', async () => {
  const other = 'https://other.invalid';
  const named = (ids: object): void => {
    const profiles = { live: { baseUrl: other, ...ids } };
    const settings = { unattended: true, journal: 'address/journal.db', retry: { attempts: 1 }, profiles };
    writeFileSync(join(directory, '.migraterc'), JSON.stringify(settings));
  };
  named({ platformId: 'tenancy-1' });
  const journal = openJournal(join(directory, 'address/journal.db'), { synchronous: 'NORMAL', create: true });
  const run = { dryRun: false, export: 'export', startedAt: 1 };
  await journal.startRun({ ...run, platform: 'tenancy-1', platformLabel: 'https://platform.example' });
  await journal.close();
  const args = ['--json', '--profile', 'live'];
  const refused = `was at https://platform.example in run 1, not at ${other}`;
  const doctor = async () => {
    const { stdout, ...ended } = await ranHere(['doctor', ...args], directory);
    return { findings: stdout, ...concluded({ stdout, ...ended }, 'doctor', 2) };
  };
  expect((await doctor()).findings).toContain(refused);
  for (const _night of ['one', 'two']) {
    const ended = await ranHere(['run', 'export', '--yes', ...args], directory);
    expect(String(concluded(ended, 'run', 2)['errors'])).toContain(refused);
  }
  named({});
  const ended = await ranHere(['run', 'export', '--yes', ...args], directory);
  expect(String(concluded(ended, 'run', 2)['errors'])).toContain(
    'its last run was on https://platform.example (run 1)',
  );
  expect((await ranHere(['doctor', '--json'], directory)).stdout).toContain('this would be a rehearsal');
});

it('a page at the address of the platform is not called another address', async () => {
  configure({ journal: 'page/journal.db' });
  concluded(await night('--profile', 'sandbox', '--adopt', '--limit', '1'), 'run', 6);
  await sandbox.close();
  const page = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>');
  });
  page.listen(Number(new URL(sandbox.url).port), '127.0.0.1');
  await once(page, 'listening');
  try {
    const ended = concluded(await night('--profile', 'sandbox'), 'run', 2);
    expect(String(ended['errors'])).toContain('is not the platform of run 1, though the address is the same');
  } finally {
    page.close();
  }
});

it('a night that only migrate morning calls bad ends with the exit code of morning', async () => {
  const told = join(directory, 'older.json');
  const settings = { notify: { command: `cat >${told}` } };
  // The journal of the first night.
  configure(settings);
  const file = join(directory, 'export', 'accounts.ndjson');
  const export1 = readFileSync(file, 'utf8');
  writeFileSync(file, `${export1}\n`);
  expect(concluded(await night('--profile', 'live'), 'run', 0)).toMatchObject({
    night: { good: true, reason: 'done' },
  });
  writeFileSync(file, export1);
  const ended = concluded(await night('--profile', 'live', '--metrics-file', 'older.prom'), 'run', 2);
  expect(ended).toMatchObject({ stopReason: null, night: { good: false, reason: 'older-export' } });
  expect(String(ended['errors'])).toContain('Not a good night');
  expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({ event: 'failure', exit: 2 });
  expect(readFileSync(join(directory, 'older.prom'), 'utf8')).toMatch(/^migrate_run_exit_code 2$/m);
  const { code } = await ranHere(['morning'], directory);
  expect(code).toBe(2);
  // A person reads what the terminal shows.
  configure({ ...settings, unattended: false });
  const attended = concluded(await night('--profile', 'live'), 'run', 0);
  expect(attended).not.toHaveProperty('night');
});

it('a command without its platform starts no rehearsal in the journal of one, unless a person says so', async () => {
  const kept = await started('kept');
  configure({ journal: 'kept/journal.db', unattended: false }, { live: kept, sandbox });
  concluded(await night('--profile', 'live'), 'run', 0);
  expect(concluded(await night(), 'run', 2)).toMatchObject({
    stopReason: 'not-begun',
    errors: [
      `No platform is configured, and the journal has accounts of ${kept.url} (run 1). Name the platform's profile with --profile or MIGRATE_PROFILE, or set MIGRATE_BASE_URL. For a rehearsal, name a journal of its own with --journal FILE, or add --dry-run.`,
    ],
  });
  concluded(await night('--dry-run'), 'run', 0);

  const answered = (answer: boolean, asked: string[] = []) =>
    ranHere(['run', 'export', '--json'], directory, {
      interactive: true,
      confirm: (question) => Promise.resolve(asked.push(question) > 0 && answer),
    });
  const asked: string[] = [];
  concluded(await answered(false, asked), 'run', 2);
  expect(asked[0]).toContain('Rehearse in the same journal?');
  concluded(await night('--profile', 'live'), 'run', 0);
  concluded(await answered(true), 'run', 0);

  // The figures are those of the platform alone, and its night is the last one.
  const { stdout: page } = await ranHere(['report', '--out', '-'], directory);
  expect(page).toContain('Complete: all of 2 accounts');
  const counts = concluded(await ranHere(['status', '--json'], directory), 'status', 0);
  expect(counts).toMatchObject({ suppliers: [{ supplier: 'TENTACLE_ENERGY', accounts: { total: 2 } }] });
  expect(concluded(await ranHere(['morning', '--json'], directory), 'morning', 0)).toMatchObject({
    ...{ good: true, rehearsal: false, accounts: { total: 2 } },
  });
  await kept.close();
});
