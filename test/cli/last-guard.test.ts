import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { guardEnd } from '../../src/cli/last-guard.ts';

class Guarded extends EventEmitter {
  exitCode: number | undefined;
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

function guarded(args: readonly string[]) {
  const own = new Guarded();
  const written: string[] = [];
  const end = guardEnd(args, own, (descriptor, text) => void written.push(`${descriptor} ${text}`));
  return { own, written, end };
}

test('a process that ends before its command says so, and ends with the code of a bug', () => {
  const { own, written } = guarded(['validate', 'export', '--json']);
  own.emit('exit', 13);
  expect(own.exitCode).toBe(1);
  expect(written[0]).toMatch(/^2 error: a bug in migrate: the command ended before its work did/);
  expect(JSON.parse(written[1]?.slice(2) ?? '')).toMatchObject({
    type: 'summary',
    command: 'validate',
    exit: 1,
  });
});

test('a process whose command has ended says nothing more', () => {
  const { own, written, end } = guarded(['validate']);
  end();
  own.emit('exit', 0);
  expect(written).toEqual([]);
  expect(own.exitCode).toBeUndefined();
});

test('an error that nobody catches is told once, without what it quotes', () => {
  const { own, written } = guarded(['run']);
  own.emit('uncaughtException', new TypeError('the customer Müller'));
  own.emit('exit', 1);
  expect(own.exits).toEqual([1]);
  expect(written).toHaveLength(1);
  expect(written[0]).toContain('a bug in migrate (TypeError)');
  expect(written[0]).not.toContain('Müller');
});

test('memory that the system refuses is told as this, and not as a bug', () => {
  const { own, written } = guarded(['run', '--json']);
  own.emit(
    'uncaughtException',
    new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory'),
  );
  expect(own.exits).toEqual([2]);
  expect(written[0]).toMatch(/^2 error: This process gets no more memory .*ulimit -v/);
  expect(JSON.parse(written[1]?.slice(2) ?? '')).toMatchObject({ exit: 2 });
});
