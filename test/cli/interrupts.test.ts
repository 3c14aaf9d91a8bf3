import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { onInterrupt } from '../../src/cli/interrupts.ts';

/** A process on a system, whose clock stands still until it is moved. */
function processOn(name: string) {
  const told: string[] = [];
  const signals = new EventEmitter();
  const waiting: { readonly at: number; readonly work: () => void }[] = [];
  let now = 0;
  const forget = onInterrupt(() => void told.push('listener'), {
    name,
    on: (signal, listener) => void signals.on(signal, listener),
    off: (signal, listener) => void signals.off(signal, listener),
    later: (work, ms) => void waiting.push({ at: now + ms, work }),
    leaveBy: (signal) => void told.push(`leaves by ${signal}`),
    endNow: (signal) => void told.push(`ends by ${signal}`),
  });
  const signal = (by: NodeJS.Signals): void => void signals.emit(by, by);
  const pass = (ms: number): void => {
    now += ms;
    for (const { work } of waiting.splice(0, waiting.findLastIndex(({ at }) => at <= now) + 1)) work();
  };
  return { told, signal, pass, forget, signals };
}

it('a closed console stops a run in good order, and on Windows at once before the system kills it', () => {
  const { told, signal, pass } = processOn('win32');
  signal('SIGHUP');
  pass(2_499);
  expect(told).toEqual(['listener']);
  pass(1);
  expect(told).toEqual(['listener', 'leaves by SIGHUP', 'listener']);
  pass(60_000);
  expect(told).toHaveLength(3);
});

it.each([
  ['linux', 'SIGHUP'],
  ['darwin', 'SIGHUP'],
  ['win32', 'SIGINT'],
  ['win32', 'SIGBREAK'],
] as const)('on %s, one %s is one interrupt, however long the run takes to stop', (name, by) => {
  const { told, signal, pass } = processOn(name);
  signal(by);
  pass(60_000);
  expect(told).toEqual(['listener']);
});

it('the second interrupt ends the process soon and the third at once, also after a closed console', () => {
  const { told, signal, pass } = processOn('win32');
  signal('SIGINT');
  signal('SIGHUP');
  pass(60_000);
  expect(told).toEqual(['listener', 'leaves by SIGHUP', 'listener']);
  signal('SIGBREAK');
  expect(told.slice(3)).toEqual(['ends by SIGBREAK', 'listener']);
});

it('after the end of the command, no signal is heard', () => {
  const { told, signal, forget, signals } = processOn('linux');
  forget();
  for (const name of signals.eventNames()) signal(name as NodeJS.Signals);
  signal('SIGINT');
  expect(told).toEqual([]);
});
