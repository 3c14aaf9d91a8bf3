import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { listen } from '../client/loopback.ts';
import { concluded } from './endings.ts';
import { ended, project, start, tool, workspace } from './tool.ts';

const space = workspace();
const { directory } = space;
const args = (journal: string): string[] => ['run', 'export', '--json', '--journal', `${journal}/journal.db`];

beforeAll(async () => {
  await generateExport({
    directory: join(directory, 'export'),
    accounts: 2,
    seed: 3,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
  });
});
afterAll(() => space.dispose());

/** A webhook; resolves `asked` with its first request. */
async function webhook(answer: RequestListener) {
  let heard!: () => void;
  const asked = new Promise<void>((resolve) => (heard = resolve));
  const server = createServer((request, response) => {
    heard();
    request.resume();
    answer(request, response);
  });
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

it('a log in a place where the system makes no directory is told of, and the run ends', async () => {
  const run = await tool([...args('proc'), '--log', '/proc/x/y.log'], directory);
  concluded(run, 'run', 0);
  expect(run.stderr).toContain(
    'The log /proc/x/y.log cannot be written: its directory does not exist. Create it, or name another place. The run continues without it.',
  );
});

it('a journal in such a place is an error', async () => {
  concluded(await tool(['run', 'export', '--json', '--journal', '/proc/x/j.db'], directory), 'run', 2);
});

it('a log that is no file is told of', async () => {
  const run = await tool([...args('full'), '--log', '/dev/full'], directory);
  concluded(run, 'run', 0);
  expect(run.stderr).toContain('/dev/full cannot be written: it is not a regular file.');
});

it('a metrics file that is a pipe without a reader is told of', async () => {
  expect(spawnSync('mkfifo', [join(directory, 'pipe')]).status).toBe(0);
  const run = await tool([...args('pipe-journal'), '--metrics-file', 'pipe'], directory);
  concluded(run, 'run', 0);
  expect(run.stderr).toContain('cannot be written: no program reads from it');
});

it('a run does not wait for a reader that takes nothing of its output', async () => {
  mkdirSync(join(directory, 'refused'));
  const rows = Array.from({ length: 8_000 }, (_, at) =>
    JSON.stringify({ external_account_number: `E-${at}` }),
  );
  writeFileSync(join(directory, 'refused', 'accounts.ndjson'), rows.join('\n'));
  // Nobody listens to its standard output.
  const child = start(['run', 'refused', '--json', '--journal', 'unread/journal.db'], directory);
  child.stderr?.resume();
  expect(await once(child, 'exit')).toEqual([3, null]);
  child.stdout?.destroy();
});

it('a webhook that drips its answer holds nothing', async () => {
  const { url } = await webhook((_request, response) => {
    response.writeHead(200).write('x');
  });
  const run = await tool(args('drip'), directory, { MIGRATE_NOTIFY_WEBHOOK: url });
  concluded(run, 'run', 0);
  expect(run.stderr).not.toContain('warning');
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the wait for a webhook that never answers',
  async (signal) => {
    const { url, asked } = await webhook(() => undefined);
    const child = start(args(`silent-${signal}`), directory, { MIGRATE_NOTIFY_WEBHOOK: url });
    const end = ended(child);
    await asked;
    child.kill(signal);
    const run = await end;
    concluded(run, 'run', 0);
    expect(run.stderr).toMatch(
      /\b2 of 2 accounts in [^]*Dropped at the end of the run, because it took too long: the webhook\./,
    );
  },
);

it('a command that sleeps is given up and ended, with all that it has started', async () => {
  const child = start(args('asleep'), directory, {
    MIGRATE_NOTIFY_COMMAND: 'echo $$ >asleep.pid; sleep 1000; true',
  });
  const run = await ended(child);
  concluded(run, 'run', 0);
  expect(run.stderr).toContain('the command of notify.command');
  const pid = Number(readFileSync(join(directory, 'asleep.pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('a second signal ends the process, also where a mapping function never comes to an end', async () => {
  cpSync(project('fixtures/legacy'), join(directory, 'legacy'), { recursive: true });
  const module = join(directory, 'legacy/old-characters.mjs');
  const names = [...readFileSync(module, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)];
  const loops = names.map(
    ([, name = '']) => `export function ${name}() { writeSync(2, 'in the loop\\n'); for (;;); }`,
  );
  writeFileSync(module, ["import { writeSync } from 'node:fs';", ...loops].join('\n'));
  const flags = ['--mapping', 'legacy/mapping.yaml', '--json', '--journal', 'endless/journal.db'];
  const child = start(['run', 'legacy/export', ...flags], directory);
  const closed = once(child, 'close');
  let stderr = '';
  let signals = 0;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (signals < 1 ? stderr.includes('in the loop') : signals < 2 && stderr.includes('Interrupted')) {
      signals += 1;
      child.kill('SIGTERM');
    }
  });
  await closed;
  expect(signals).toBe(2);
});
