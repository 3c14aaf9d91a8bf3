import { expect } from 'vitest';
import { lines, summaryOf, type Ended } from './tool.ts';

/** Holds a command's end to what every end must have; gives its summary. */
export function concluded(ended: Ended, command: string, exit: number): Record<string, unknown> {
  const all = ended.stdout + ended.stderr;
  expect(all).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(all).not.toContain('a bug in migrate');
  const summary = summaryOf(ended.stdout);
  expect(summary, ended.stderr).toMatchObject({ type: 'summary', version: 1, command, exit });
  expect(ended.code).toBe(exit);
  return summary;
}

/** Holds a command to exactly these errors, told to people and programs alike. */
export function refused(ended: Ended, command: string, exit: number, ...errors: readonly string[]): void {
  const summary = concluded(ended, command, exit);
  const expected = errors.map((error) => expect.stringContaining(error) as string);
  expect(summary['errors']).toEqual(expected);
  expect(ended.stderr.split(/^error: /m).slice(1)).toEqual(expected);
}

export function linesOfType(stdout: string, type: string): Record<string, unknown>[] {
  return lines(stdout).filter((line) => line['type'] === type);
}
