import { expect, it } from 'vitest';
import { paragraph } from '../../src/report/paragraph.ts';
import { createProgress } from '../../src/report/progress.ts';
import { terminalOf } from '../../src/report/terminal.ts';
import { OwnClock } from './fixture.ts';

it('sends no cursor sequence and no colour to a terminal that knows none, and keeps its width', async () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 132, rows: 40, write: (text: string) => written.push(text) };
  const terminal = terminalOf(stream, { TERM: 'dumb' });
  expect([terminal.isTty, terminal.colour, terminal.columns]).toEqual([false, false, 132]);
  const clock = new OwnClock();
  const progress = createProgress(terminal, clock);
  progress.phase('reading');
  progress.begin(10, 'account');
  progress.advance('completed');
  await clock.pass(12_000);
  progress.end();
  expect(written.join('')).toContain('1 of 10 accounts');
  expect(written.join('')).not.toMatch(/\r|\p{Cc}(?<!\n)/u);
  expect(terminalOf(stream, { TERM: 'xterm' }).isTty).toBe(true);
});

it('never breaks a command over two lines', () => {
  const command = '`migrate resolve EXT-000123 --supplier TENTACLE_ENERGY --step agreements --as done`';
  const text = `Find out whether it took effect. Then ${command} records it, and \`migrate run\` goes on.`;
  const lines = paragraph({ columns: 60 }, text).split('\n');
  expect(lines).toContain(`  ${command}`);
  expect(lines.filter((line) => line.length > 60)).toEqual([`  ${command}`]);
  expect(paragraph({ columns: 60 }, 'a lone ` stays, and  two blanks')).toBe(
    '  a lone ` stays, and two blanks',
  );
});
