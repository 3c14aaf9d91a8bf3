import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { Shell } from './shell.ts';
import { systemClock } from '../wiring/system/system-clock.ts';

/** The shell of the running process. */
export function systemShell(): Shell {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    random: () => Math.random(),
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    confirm,
    onInterrupt,
    inputEnded,
    self: [process.execPath, fileURLToPath(new URL('../../bin/migrate.js', import.meta.url))],
    host: hostname(),
    pid: process.pid,
  };
}

async function confirm(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `).catch(() => {
      // Ctrl-C or Ctrl-D.
      process.stderr.write('\n');
      return '';
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}

function onInterrupt(listener: () => void): () => void {
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

function inputEnded(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdin.resume();
  });
}
