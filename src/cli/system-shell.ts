import { createInterface } from 'node:readline/promises';
import type { Shell } from './shell.ts';
import { machine } from '../wiring/system/machine.ts';

/** The shell of the running process. */
export function systemShell(): Shell {
  return {
    ...machine(),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    confirm,
    onInterrupt,
    inputEnded,
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
