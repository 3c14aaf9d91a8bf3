import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run-program.ts';
import { systemShell } from '../../src/cli/shell.ts';
import { linesOfType } from './endings.ts';
import { project, summaryOf, tool, workspace } from './tool.ts';

const space = workspace();
afterAll(() => space.dispose());
beforeAll(async () => {
  await tool(['run', project('fixtures/flat'), '--limit', '5', '--quiet'], space.directory);
});

/** Watches on a clock of the test's own, through three looks and then an interrupt. */
async function watched(args: readonly string[], isTTY: boolean) {
  let stdout = '';
  let looks = 0;
  let interrupt = (): void => undefined;
  const code = await run(
    {
      ...systemShell(),
      stdout: { write: (text) => ((stdout += text), true), isTTY, columns: 80 },
      stderr: { write: () => true },
      env: {},
      cwd: space.directory,
      interactive: false,
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
      clock: {
        now: () => looks * 2_000,
        monotonic: () => looks * 2_000,
        sleep: () => {
          looks += 1;
          if (looks === 3) interrupt();
          return Promise.resolve();
        },
      },
    },
    ['status', '--watch', ...args],
  );
  return { code, stdout };
}

it('a terminal shows each look over the one before, and is cleared once', async () => {
  const { code, stdout } = await watched([], true);
  expect(code).toBe(0);
  expect(stdout.split('\u001b[2J')).toHaveLength(2);
  const frames = stdout.split('\u001b[H').slice(1);
  expect(frames).toHaveLength(3);
  for (const frame of frames) {
    expect(frame).toContain('TENTACLE_ENERGY on embedded');
    expect(frame).toMatch(/0\/s over the last minute, 0\/s since the watch\s+began; \d+\s+accounts to do/);
    expect(frame.endsWith('\u001b[J')).toBe(true);
  }
});

it('programs get a line for each look, and the summary at the interrupt', async () => {
  const { code, stdout } = await watched(['--json'], false);
  expect(code).toBe(0);
  expect(linesOfType(stdout, 'status')).toHaveLength(3);
  expect(summaryOf(stdout)).toMatchObject({
    command: 'status',
    exit: 0,
    suppliers: [{ supplier: 'TENTACLE_ENERGY', accounts: { completed: 5 } }],
  });
});
