import { afterEach, expect, it, vi } from 'vitest';
import { endNow } from '../../src/cli/leave.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function endedBy(signal: NodeJS.Signals, system: string): readonly string[] {
  const ends: string[] = [];
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    ends.push(`code ${code ?? 0}`);
    throw new Error('ended');
  });
  vi.spyOn(process, 'kill').mockImplementation((_, by) => {
    ends.push(String(by));
    return true;
  });
  expect(() => {
    endNow(signal, system);
    throw new Error('ended');
  }).toThrow('ended');
  return ends;
}

it('a third interrupt ends the process by its signal, and on Windows with the code of it, not with that of a bug', () => {
  expect(endedBy('SIGINT', 'linux')).toEqual(['SIGINT']);
  expect(endedBy('SIGINT', 'win32')).toEqual(['code 130']);
  expect(endedBy('SIGHUP', 'win32')).toEqual(['code 129']);
  // It has no other way to end what waits for a file that never answers.
  expect(endedBy('SIGKILL', 'win32')).toEqual(['SIGKILL']);
});
