import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run-program.ts';
import { runHours } from '../../src/run/run-hours.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { concluded } from './endings.ts';
import { project, summaryOf, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());

const at = (text: string): number => Date.parse(text);
const timeZone = 'Europe/Berlin';

describe('the hours of a run', () => {
  it.each([
    ['end at the time of --until', { until: '05:30' }, '2024-02-01T21:00:00Z', '2024-02-02T04:30:00Z'],
    ['end with the window', { window: '22:00-05:30' }, '2024-02-01T21:00:00Z', '2024-02-02T04:30:00Z'],
    [
      'end with the first of both',
      { window: '22:00-05:30', until: '02:00' },
      '2024-02-01T21:00:00Z',
      '2024-02-02T01:00:00Z',
    ],
  ])('%s', (_name, settings, now, until) => {
    expect(runHours({ ...settings, timeZone }, at(now))).toMatchObject({ isOpen: true, until: at(until) });
  });

  it.each([
    ['are over for a job that starts after --until', { until: '05:30' }, '2024-02-02T04:31:00Z'],
    ['are over at noon', { until: '05:30' }, '2024-02-02T11:00:00Z'],
    ['have not begun before the window', { window: '22:00-05:30' }, '2024-02-02T20:59:59Z'],
  ])('%s', (_name, settings, now) => {
    expect(runHours({ ...settings, timeZone }, at(now))).toMatchObject({ isOpen: false });
  });

  it('say when the window opens, in their zone', () => {
    expect(runHours({ window: '22:00-05:30', timeZone }, at('2024-02-02T20:59:59Z'))).toMatchObject({
      detail: expect.stringContaining(
        '(Europe/Berlin), and the next window opens at 2024-02-02 22:00.',
      ) as unknown,
    });
  });

  it('have no end unless one is named', () => {
    expect(runHours({}, 0)).toEqual({ isOpen: true });
  });
});

/** The command line at a time of the test's choosing; the second before the hours end passes with the first account. */
async function ranAt(now: string, args: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const shell = systemShell();
  let firstAccount!: () => void;
  let passed = 0;
  const begun = new Promise<void>((resolve) => (firstAccount = resolve));
  const code = await run(
    {
      ...shell,
      stdout: {
        write: (text) => {
          stdout += text;
          if (text.includes('"type":"account"')) {
            passed = 1000;
            firstAccount();
          }
          return true;
        },
      },
      stderr: { write: (text) => ((stderr += text), true) },
      env: {},
      cwd: space.directory,
      interactive: false,
      clock: {
        now: () => at(now) + passed,
        monotonic: () => passed,
        sleep: (ms, signal) => (ms === 1000 ? begun : shell.clock.sleep(ms, signal)),
      },
    },
    args,
  );
  return { code, stdout, stderr };
}

const flat = project('fixtures/flat');

it('a run outside its window does nothing and exits with 6', async () => {
  const args = ['run', flat, '--window', '22:00-05:30', '--time-zone', timeZone];
  const ended = await ranAt('2027-02-02T04:31:00Z', [...args, '--json']);
  expect(concluded(ended, 'run', 6)).toMatchObject({ requests: 0, stopped: 'hours' });
  expect((await ranAt('2027-02-02T04:31:00Z', args)).stdout).toContain('opens at 2027-02-02 22:00.');
});

it('a run whose hours end stops by itself, with the rest left for the next one', async () => {
  const args = ['run', flat, '--until', '05:30', '--time-zone', timeZone, '--json'];
  const ended = await ranAt('2027-02-02T04:29:59Z', args);
  expect(concluded(ended, 'run', 6)).toMatchObject({ stopped: 'hours', accounts: { total: 50 } });
  const next = await ranAt('2027-02-02T21:00:00Z', args);
  expect(next.code).toBe(0);
  expect(summaryOf(next.stdout)).toMatchObject({ accounts: { completed: 50 } });
});

it.each([
  ['--until', '5:30', 'must be a time of day, such as 05:30'],
  ['--window', '22:00', 'must be two times of day, such as 22:00-05:30'],
  ['--time-zone', 'Europe/Atlantis', 'must be a time zone, such as Europe/Berlin'],
])('%s %s is refused', async (flag, value, reason) => {
  const ended = await ranAt('2027-02-02T21:00:00Z', ['run', flat, flag, value, '--json']);
  concluded(ended, 'run', 2);
  expect(ended.stderr).toContain(`${flag}: ${reason}`);
});
