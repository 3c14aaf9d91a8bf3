import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemShell } from '../../src/cli/shell.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { zeroCounts } from '../../src/domain/account-state.ts';
import { thisProcess } from '../../src/host/process-identity.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { nightAfter } from '../../src/run/night-verdict.ts';
import { keepReconciled } from '../../src/run/session/reconciled-file.ts';
import { workspace } from '../cli/tool.ts';

const space = workspace();
afterAll(() => space.dispose());

it('a run that has ended is none under way, and another of the same host and process id is', async () => {
  const shell = { ...systemShell(), cwd: space.directory, env: {} };
  const config = await loadConfig({ cwd: shell.cwd, env: {}, flags: {}, ruleCodes: [] });
  if ('problems' in config) throw new Error(JSON.stringify(config.problems));
  const file = join(space.directory, '.migrate', 'journal.db');
  const journal = openJournal(file, { synchronous: 'NORMAL', create: true });
  const now = shell.clock.now();
  const started = { platform: 'https://platform.example', platformLabel: 'https://platform.example' };
  const head = { ...started, dryRun: false, export: './export' };
  const first = await journal.startRun({ ...head, startedAt: now - 2000, supplier: 'S' });
  const end = { endedAt: now, exit: 0, reason: '', accounts: zeroCounts(), requests: 0, retries: 0 };
  await journal.finishRun(first, end);
  const second = await journal.startRun({ ...head, startedAt: now - 1000, supplier: 'T' });
  const lease = { platform: head.platform, supplier: 'T', owner: thisProcess(shell) };
  await journal.takeLease(lease, now, now + 60_000, () => false);
  await journal.close();
  expect(await nightAfter(shell, config, first)).toMatchObject({ run: second, reason: 'running' });
  expect(await nightAfter(shell, config, second)).toMatchObject({ run: second, reason: 'killed' });
});

it('knows a comparison without differences, until somebody rules on an account', async () => {
  const place = workspace();
  try {
    const shell = { ...systemShell(), cwd: place.directory, env: {} };
    const config = await loadConfig({ cwd: shell.cwd, env: {}, flags: {}, ruleCodes: [] });
    if ('problems' in config) throw new Error(JSON.stringify(config.problems));
    const file = join(place.directory, '.migrate', 'journal.db');
    const journal = openJournal(file, { synchronous: 'NORMAL', create: true });
    const ended = shell.clock.now() - 60_000;
    const [platform, supplier] = ['https://platform.example', 'S'];
    const head = { platform, platformLabel: platform, dryRun: false, export: './export', supplier };
    const run = await journal.startRun({ ...head, startedAt: ended - 1000 });
    const { id } = await journal.open(platform, { supplier, account: 'A-1' });
    await journal.change(id, { state: 'completed', krakenAccountNumber: 'K-1' });
    const end = { endedAt: ended, exit: 0, reason: '', accounts: zeroCounts(), requests: 0, retries: 0 };
    await journal.finishRun(run, end);
    const told = async (): Promise<string> => (await nightAfter(shell, config, run))?.next ?? '';
    expect(await told()).toMatch(/^migrate reconcile/);
    const compared = { platform, supplier, at: ended + 1000, export: './export', differences: 0 };
    await keepReconciled(config, { ...compared, money: {}, missing: [] });
    expect(await told()).toMatch(/^migrate numbers/);
    await journal.change(id, { intervention: { command: 'resolve', at: ended + 2000 } });
    expect(await told()).toMatch(/^migrate reconcile/);
    await journal.close();
  } finally {
    place.dispose();
  }
});
