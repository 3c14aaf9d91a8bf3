import { expect, test } from 'vitest';
import { createProgress } from '../../src/report/progress.ts';
import { OwnClock, screen, seen, type Screen } from './fixture.ts';

function started(terminal: Screen, total: number, options = {}) {
  const clock = new OwnClock();
  const progress = createProgress(terminal, clock, options);
  progress.begin(total, 'account');
  return { clock, progress };
}

test('without a terminal there is a plain line every few seconds and one at the end', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 10_000);
  expect(terminal.text()).toBe('');
  progress.advance(1500);
  await clock.pass(5000);
  progress.advance('completed');
  progress.advance('rejected');
  progress.advance('failed');
  await clock.pass(5000);
  progress.advance(8497);
  await clock.pass(2500);
  progress.end();
  expect(terminal.text().split('\n')).toEqual([
    '1,500 of 10,000 accounts (15%), 300/s',
    '1,503 of 10,000 accounts (15%), 150/s, 57s left, 1 rejected, 1 failed',
    '10,000 of 10,000 accounts in 13s, 800/s, 1 rejected, 1 failed',
    '',
  ]);
});

test('more than there were to be is told without a total or a share', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 20);
  progress.advance(5_419_556);
  await clock.pass(5000);
  progress.end();
  expect(terminal.text()).toMatch(/^5,419,556 accounts, /);
  expect(terminal.text()).not.toMatch(/%| of /);
});

test('what others do counts too, and what they did before tells nothing about the speed', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 10_000);
  progress.advance(20);
  progress.reach(5_020);
  await clock.pass(5000);
  progress.advance('rejected');
  progress.reach(6_000);
  await clock.pass(5000);
  progress.reach(5_900);
  await clock.pass(5000);
  progress.reach(10_000);
  progress.end();
  expect(terminal.text().split('\n')).toEqual([
    '5,020 of 10,000 accounts (50%), 4/s',
    '6,000 of 10,000 accounts (60%), 100/s, 40s left, 1 rejected',
    '6,000 of 10,000 accounts (60%), 67/s, 1m left, 1 rejected',
    '10,000 of 10,000 accounts in 15s, 333/s, 1 rejected',
    '',
  ]);
});

test('a job that is shorter than that prints one line', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 1);
  progress.advance('completed');
  await clock.pass(400);
  progress.end();
  expect(terminal.text()).toBe('1 of 1 account in 400ms, 2.5/s\n');
});

test('nothing is printed after the end, and nobody waits any more', async () => {
  for (const isTty of [true, false]) {
    const terminal = screen({ isTty });
    const { clock, progress } = started(terminal, 10);
    await clock.pass(10_000);
    progress.end();
    const before = terminal.text();
    expect(clock.waiting).toBe(0);
    progress.advance('completed');
    progress.end();
    await clock.pass(60_000);
    expect(terminal.text()).toBe(before);
  }
});

test('the rate follows the last half minute, so that what was skipped at the start tells nothing', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 100_000);
  progress.advance(90_000);
  for (let second = 0; second < 60; second++) {
    progress.advance(10);
    await clock.pass(1000);
  }
  expect(terminal.text().trim().split('\n').at(-1)).toBe(
    '90,600 of 100,000 accounts (90%), 10/s, 15m 40s left',
  );
  progress.end();
});

test.each([
  [80, '[=================-------]  7,500/10,000 accounts  750/s  1 uncertain  4s left'],
  [60, '7,500/10,000 accounts  750/s  1 uncertain  4s left'],
  [50, '7,500/10,000  750/s  1 uncertain  4s left'],
  [40, '7,500/10,000  750/s  1 uncertain'],
  [30, '7,500/10,000  1 uncertain'],
  [14, '7,500/10,000'],
])('on a terminal of %i columns one line is drawn over and over', async (columns, line) => {
  const terminal = screen({ isTty: true, columns });
  const { clock, progress } = started(terminal, 10_000);
  progress.advance(7499);
  progress.advance('uncertain');
  await clock.pass(10_000);
  const lines = seen(terminal.text());
  expect(lines).toHaveLength(1);
  if (columns === 80)
    expect(lines[0]).toMatch(/^\[=+-+\] {2}7,500\/10,000 accounts {2}750\/s {2}1 uncertain {2}4s left$/);
  else expect(lines[0]).toBe(line);
  expect(lines[0]?.length).toBeLessThan(columns);
  progress.end();
  expect(seen(terminal.text())).toHaveLength(2);
});

test('messages stand above the bar, which stays below them', async () => {
  const terminal = screen({ isTty: true });
  const { clock, progress } = started(terminal, 100);
  await clock.pass(1000);
  progress.aside(() => terminal.write('one\n'));
  progress.advance(50);
  await clock.pass(1000);
  progress.aside(() => terminal.write('two\n'));
  progress.advance(50);
  progress.end();
  progress.aside(() => terminal.write('three\n'));
  expect(seen(terminal.text())).toEqual([
    'one',
    'two',
    '[========================================]  100/100 accounts  50/s',
    'three',
    '',
  ]);
  // The cursor is not sent back to where the bar began, which is where the messages are now.
  expect(terminal.text()).not.toContain('\u001b7');
  expect(terminal.text()).not.toContain('\u001b8');
});

test('a bar never changes how the terminal wraps, nor hides its cursor', async () => {
  const terminal = screen({ isTty: true });
  const { clock, progress } = started(terminal, 0);
  await clock.pass(1000);
  progress.end();
  expect(terminal.text()).not.toContain('\u001b[?');
  expect(seen(terminal.text())[0]).toContain('0/0 accounts');
});

test('a second job begins anew', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 10);
  progress.advance('failed');
  await clock.pass(1000);
  progress.begin(20, 'row');
  progress.advance(20);
  await clock.pass(1000);
  progress.end();
  expect(terminal.text()).toBe('1 of 10 accounts in 1s, 1/s, 1 failed\n20 of 20 rows in 1s, 20/s\n');
});

test('under --quiet there is only what others write', async () => {
  const terminal = screen({ isTty: true });
  const { clock, progress } = started(terminal, 10, { quiet: true });
  await clock.pass(10_000);
  progress.aside(() => terminal.write('careful\n'));
  progress.end();
  expect(terminal.text()).toBe('careful\n');
});

test('on a terminal the steps and the last failures stand above the bar, and why it goes so fast below', async () => {
  const terminal = screen({ isTty: true, columns: 100 });
  const clock = new OwnClock();
  const progress = createProgress(terminal, clock);
  let looks = 0;
  progress.beside(() => Promise.resolve(`  validate  ${(looks += 1)}\n  last failure`));
  progress.begin(100, 'account');
  progress.note('16 at once (ceiling)');
  for (let half = 0; half < 8; half++) {
    progress.advance(5);
    await clock.pass(500);
  }
  progress.aside(() => terminal.write('above\n'));
  // An estimate after four seconds would mean nothing.
  const bar = '[================------------------------]  40/100 accounts  10/s';
  const note = '16 at once (ceiling), 10/s on average';
  expect(seen(terminal.text())).toEqual(['above', '  validate  2', '  last failure', '', bar, note]);

  terminal.rows = 5;
  await clock.pass(200);
  expect(seen(terminal.text()).slice(0, 3)).toEqual([
    'above',
    expect.stringContaining('40/100 accounts'),
    expect.stringContaining('16 at once'),
  ]);
  terminal.rows = 24;
  progress.advance(60);
  await clock.pass(1000);
  progress.end();
  expect(seen(terminal.text())).toEqual(['above', expect.stringContaining('100/100 accounts'), '']);
});

test('a terminal that becomes narrower, and wraps what it shows, is cleared of all of it', async () => {
  const terminal = screen({ isTty: true, columns: 100 });
  const { clock, progress } = started(terminal, 100);
  progress.note('16 at once (ceiling)');
  await clock.pass(200);
  const [bar = '', note = ''] = seen(terminal.text());
  terminal.columns = 40;
  terminal.written.length = 0;
  await clock.pass(200);
  const rows = Math.ceil(bar.length / 40) + Math.ceil(note.length / 40);
  expect(terminal.text()).toMatch(new RegExp(`^\\r\\u001b\\[${rows - 1}A`));
  expect(terminal.text().endsWith('\u001b[J')).toBe(true);
  progress.end();
});

test('a phase is shown at once on a terminal, gives way to a message, and is nothing elsewhere', () => {
  const terminal = screen({ isTty: true, columns: 40 });
  const progress = createProgress(terminal, new OwnClock());
  progress.phase('Upgrading the journal: schema 20 (2 of 4)');
  expect(seen(terminal.text())).toEqual(['Upgrading the journal: schema 20 (2 of ']);
  progress.aside(() => terminal.write('It is upgraded.\n'));
  progress.phase('');
  expect(seen(terminal.text()).filter((line) => line !== '')).toEqual(['It is upgraded.']);
  const pipe = screen();
  createProgress(pipe, new OwnClock()).phase('Upgrading the journal: schema 20 (2 of 4)');
  expect(pipe.text()).toBe('');
});

test('accounts that needed no work are done, and say nothing of the speed and of the time left', async () => {
  const terminal = screen();
  const { clock, progress } = started(terminal, 10_000);
  progress.pass(9_000);
  progress.advance(100);
  await clock.pass(10_000);
  progress.advance(900);
  await clock.pass(2_500);
  progress.end();
  expect(terminal.text().split('\n').slice(1)).toEqual([
    '9,100 of 10,000 accounts (91%), 10/s, 1m 30s left',
    '10,000 of 10,000 accounts in 13s, 80/s',
    '',
  ]);
});
