import { isatty } from 'node:tty';
import type { Shell } from './shell.ts';
import { machine } from '../wiring/system/machine.ts';

/** The shell of the running process. */
export function systemShell(): Shell {
  return {
    ...machine(),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // process.stdin itself would be opened, which most commands need not wait for.
    interactive: isatty(0) && isatty(2),
    confirm,
    onInterrupt,
    inputEnded,
  };
}

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
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
