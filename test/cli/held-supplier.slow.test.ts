import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zeroCounts } from '../../src/domain/account-state.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

const platform = 'https://platform.example';
const environment = { MIGRATE_BASE_URL: platform, MIGRATE_TOKEN: 'token', MIGRATE_TEAM: 'MIGRATIONS' };

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
  mkdirSync(join(directory, 'export'));
  // Whoever reads this export ends with 2.
  writeFileSync(join(directory, 'export', 'accounts.csv'), 'no_such_column\n1\n');
});
afterEach(() => space.dispose());

/** A journal in which a run on another machine holds these suppliers and works on an export. */
async function held(suppliers: readonly string[], source = 'export', forMs = 3_600_000): Promise<void> {
  const journal = openJournal(join(directory, '.migrate', 'journal.db'), {
    synchronous: 'FULL',
    create: true,
  });
  await journal.takeMark(1);
  await journal.startRun({ platform, platformLabel: platform, dryRun: false, export: source, startedAt: 1 });
  const owner = { host: 'elsewhere', pid: 7, processStart: '1' };
  const now = Date.now();
  for (const supplier of suppliers)
    await journal.takeLease({ platform, supplier, owner }, now, now + forMs, () => false);
  await journal.close();
}

const run = (...more: string[]) =>
  ranHere(['run', 'export', '--yes', '--json', ...more], directory, { env: environment });

it.each([
  ['the only supplier of a book that was taken before', ['S'], []],
  ['the supplier that is named', ['S', 'T'], ['--supplier', 'T']],
])('a run says at once who holds it, before it reads the export: %s', async (_what, suppliers, flags) => {
  await held(suppliers);
  const ended = await run(...flags);
  refused(ended, 'run', 7, `another run holds ${suppliers.at(-1) ?? ''}: process 7 on elsewhere, since `);
  expect(concluded(ended, 'run', 7)).toMatchObject({
    stopped: 'held',
    requests: 0,
    workLeft: true,
    accounts: { ...zeroCounts(), uncounted: null },
  });
  const again = await ranHere(['run', 'export', '--yes', ...flags], directory, { env: environment });
  const text = again.stdout.replaceAll(/\s+/g, ' ').trim();
  expect(text).toMatch(/^Run \d+ on \S+ did not start: another run held the supplier\.$/);
  expect(again.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /error: another run holds .* hold ends at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
  );
  const history = await ranHere(['history', '--json'], directory, { env: environment });
  expect(history.stdout).toContain('"held"');
});

it.each([
  ['another supplier is named', ['S'], 'export', ['--supplier', 'T'], 3_600_000],
  ['the export is a new one', ['S'], 'other', [], 3_600_000],
  ['several are known', ['S', 'T'], 'export', [], 3_600_000],
  ['the hold has ended', ['S'], 'export', [], -1],
] as const)('the export is read where %s', async (_what, suppliers, source, flags, forMs) => {
  await held(suppliers, source, forMs);
  expect((await run(...flags)).code).toBe(2);
});
