import { describe, expect, it } from 'vitest';
import { hostShortage } from '../../src/domain/host-shortage.ts';

const failed = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('failed', { cause }), code === '' ? {} : { code });

describe('what a machine is short of', () => {
  it.each([
    ['EMFILE', 'as many files and connections open as it may'],
    ['ENFILE', 'as many files and connections open as it can'],
    ['ENOMEM', 'no memory left'],
    ['ERR_WORKER_INIT_FAILED', 'no further process or thread'],
    ['ERR_WORKER_OUT_OF_MEMORY', 'memory that it may have'],
    ['ENOSPC', 'full'],
    ['EDQUOT', 'quota'],
    ['EROFS', 'read-only'],
    ['EIO', 'reports an error'],
    ['EADDRNOTAVAIL', 'no free port'],
    ['ENOBUFS', 'no buffers'],
  ])('is named with its remedy and its code: %s', (code, words) => {
    expect(hostShortage(failed(code))).toContain(words);
    expect(hostShortage(failed(code))).toContain(`(${code}).`);
  });

  it('is found behind other errors', () => {
    expect(hostShortage(failed('', failed('UND_ERR_SOCKET', failed('EMFILE'))))).toContain('(EMFILE)');
    expect(hostShortage(new AggregateError([failed('ECONNREFUSED'), failed('ENOBUFS')]))).toContain(
      '(ENOBUFS)',
    );
  });

  it('is a process or a thread where a program cannot be started', () => {
    const error = Object.assign(failed('EAGAIN'), { syscall: 'spawn node' });
    expect(hostShortage(error)).toContain('no further process or thread');
    expect(hostShortage(Object.assign(failed('EAGAIN'), { syscall: 'write' }))).toBeUndefined();
  });

  it('is nothing where the error is of somebody else', () => {
    expect(hostShortage(failed('ECONNREFUSED'))).toBeUndefined();
    expect(hostShortage(new TypeError('x'))).toBeUndefined();
    expect(hostShortage('EMFILE')).toBeUndefined();
  });
});
