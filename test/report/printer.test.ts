import { describe, expect, test } from 'vitest';
import { createPrinter, type PrinterOptions } from '../../src/report/printer.ts';
import { OwnClock, screen, seen, type Screen } from './fixture.ts';

function printing(
  options: Partial<PrinterOptions> = {},
  stdout: Screen = screen(),
  stderr: Screen = screen(),
) {
  const clock = new OwnClock();
  return { stdout, stderr, clock, printer: createPrinter({ stdout, stderr, clock, ...options }) };
}

test('the result goes to stdout and messages to stderr', async () => {
  const { stdout, stderr, printer } = printing();
  const exit = await printer.conclude('run', () => {
    printer.info('started');
    printer.detail('a detail');
    printer.warn('careful');
    printer.line({ type: 'listening' }, 'listening\u0007\nhere');
    printer.line({ type: 'account' });
    return Promise.resolve({
      exit: 3,
      summary: { accounts: 1 },
      text: ({ columns }) => `done in ${columns}`,
    });
  });
  expect(exit).toBe(3);
  expect(stdout.text()).toBe('listening\\u0007\nhere\ndone in 80\n');
  expect(stderr.text()).toBe('started\nwarning: careful\n');
});

test('with --json stdout is JSON lines and the last one is the summary', async () => {
  const { stdout, printer } = printing({ json: true });
  await printer.conclude('validate', () => {
    printer.line({ type: 'problem', account: 'a\n\u001b\u009b\u202e' }, 'not shown');
    return Promise.resolve({ exit: 0, summary: { valid: 1, exit: 9 }, text: () => 'not shown' });
  });
  const lines = stdout.text().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: 'problem', account: 'a\n\u001b\u009b\u202e' },
    { type: 'summary', version: 1, command: 'validate', exit: 0, valid: 1 },
  ]);
  // eslint-disable-next-line no-control-regex -- what a terminal acts on
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});

test('a command that could not start ends with a summary too', async () => {
  const { stdout, stderr, printer } = printing({ json: true, quiet: true });
  const errors = ['.migraterc:3: unknown key "x".\nSee there.', 'and more'];
  expect(await printer.conclude('run', () => Promise.resolve({ exit: 2, errors }))).toBe(2);
  expect(JSON.parse(stdout.text())).toEqual({ type: 'summary', version: 1, command: 'run', exit: 2, errors });
  expect(stderr.text()).toBe('error: .migraterc:3: unknown key "x".\nSee there.\nerror: and more\n');
});

test('an exception is a bug, and what it says of the data is kept back', async () => {
  const fails = () => Promise.reject(new TypeError('Ada Lovelace, 4711'));
  for (const verbose of [false, true]) {
    const { stdout, stderr, printer } = printing({ json: true, verbose });
    printer.progress.begin(5, 'account');
    expect(await printer.conclude('run', fails)).toBe(1);
    expect(JSON.parse(stdout.text())).toMatchObject({ type: 'summary', exit: 1, command: 'run' });
    expect(stderr.text() + stdout.text()).not.toContain('Lovelace');
    expect(stderr.text()).toContain(
      verbose ? 'printer.test.ts' : 'a bug in migrate (TypeError). Run it again with --verbose',
    );
  }
});

test('a result that cannot be rendered is a bug as well, not a missing summary', async () => {
  const { stdout, printer } = printing({ json: true });
  const text = (): string => {
    throw new RangeError('boom');
  };
  expect(await printer.conclude('status', () => Promise.resolve({ exit: 0, text }))).toBe(1);
  expect(JSON.parse(stdout.text())).toMatchObject({ exit: 1 });
});

test('--quiet keeps warnings and errors; --verbose adds details', async () => {
  const quiet = printing({ quiet: true });
  quiet.printer.info('started');
  quiet.printer.warn('careful');
  quiet.printer.progress.begin(1, 'account');
  await quiet.printer.conclude('run', () => Promise.resolve({ exit: 0, text: () => 'all done' }));
  expect(quiet.stdout.text()).toBe('');
  expect(quiet.stderr.text()).toBe('warning: careful\n');

  const verbose = printing({ verbose: true });
  verbose.printer.detail('a detail');
  expect(verbose.stderr.text()).toBe('a detail\n');
});

test('--quiet keeps what was asked for, and what was done if the command did not succeed', async () => {
  const text = () => 'result';
  for (const [result, printed] of [
    [{ exit: 0, text, evenIfQuiet: true }, 'result\n'],
    [{ exit: 3, text }, 'result\n'],
    [{ exit: 0, text }, ''],
  ] as const) {
    const { stdout, printer } = printing({ quiet: true });
    await printer.conclude('status', () => Promise.resolve(result));
    expect(stdout.text()).toBe(printed);
  }
});

test('messages and results do not run into the bar when they share the terminal', async () => {
  const terminal = screen({ isTty: true });
  const { clock, printer } = printing({ json: true }, terminal, terminal);
  await printer.conclude('run', async () => {
    printer.progress.begin(2, 'account');
    await clock.pass(1000);
    printer.line({ type: 'account' });
    printer.warn('careful');
    printer.progress.advance(2);
    await clock.pass(1000);
    return { exit: 0 };
  });
  expect(seen(terminal.text())).toEqual([
    '{"type":"account"}',
    'warning: careful',
    '[========================================]  2/2 accounts  1/s',
    '{"type":"summary","version":1,"command":"run","exit":0}',
    '',
  ]);
});

test('where nobody sits lines are written together at the end of each turn, in their order', async () => {
  const both = screen();
  const { printer } = printing({ json: true }, both, both);
  const numbered = (from: number, to: number): void => {
    for (let n = from; n <= to; n += 1) printer.line({ n });
  };
  await printer.conclude('run', async () => {
    numbered(1, 2);
    printer.frame({ n: 3 }, () => 'not shown');
    expect(both.written).toEqual([]);
    await new Promise(setImmediate);
    expect(both.written).toEqual(['{"n":1}\n{"n":2}\n{"n":3}\n']);
    numbered(4, 4);
    printer.warn('careful');
    numbered(5, 6);
    return { exit: 3, errors: ['too bad'] };
  });
  expect(both.text().split('\n')).toEqual([
    ...['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}', 'warning: careful', '{"n":5}', '{"n":6}'],
    'error: too bad',
    '{"type":"summary","version":1,"command":"run","exit":3,"errors":["too bad"]}',
    '',
  ]);
});

test('no more lines are kept back than a pipe holds, and none is lost', async () => {
  const { stdout, printer } = printing({ json: true });
  await printer.conclude('plan', () => {
    for (let n = 0; n < 50_000; n += 1) printer.line({ n });
    return Promise.resolve({ exit: 0 });
  });
  expect(Math.max(...stdout.written.map(({ length }) => length))).toBeLessThan(70_000);
  const lines = stdout.text().split('\n');
  expect(lines.slice(0, 50_000)).toEqual(Array.from({ length: 50_000 }, (_, n) => `{"n":${n}}`));
  expect(lines).toHaveLength(50_002);
});

test('on a terminal a line is there at once', () => {
  const { stdout, printer } = printing({}, screen({ isTty: true }));
  printer.line({ type: 'finding' }, 'found');
  expect(stdout.text()).toBe('found\n');
});

test('a word of warning is coloured where colours are wanted', () => {
  const { stderr, printer } = printing({}, screen(), screen({ colour: true }));
  printer.warn('careful');
  expect(stderr.text()).toBe('\u001b[33mwarning: \u001b[39mcareful\n');
});

test.each([true, false])('what would steer a terminal is shown in its place (terminal: %s)', (isTty) => {
  const { stderr, printer } = printing({}, screen(), screen({ isTty }));
  printer.warn('one\u001b[2J');
  expect(stderr.text()).toBe('warning: one\\u001b[2J\n');
});

describe('a message that is wider than the terminal', () => {
  const path = '/home/somebody/somewhere/with/a/long/name/journal.db';
  const message = `There is no journal at ${path}. Check the path.\n    at a place, and more of it than fits the line`;

  test('goes on between words a little to the right, and a path stays whole', () => {
    const terminal = screen({ isTty: true, columns: 40, colour: true });
    printing({}, screen(), terminal).printer.warn(message);
    expect(terminal.text().split('\n')).toEqual([
      '\u001b[33mwarning: \u001b[39mThere is no journal at',
      `  ${path}.`,
      '  Check the path.',
      '    at a place, and more of it than fits',
      '      the line',
      '',
    ]);
  });

  test('is one line for programs', () => {
    const { stderr, printer } = printing();
    printer.warn(message);
    expect(stderr.text()).toBe(`warning: ${message}\n`);
  });
});
