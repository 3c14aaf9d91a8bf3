// Drives accounts through the journal without end, and says each write once it is confirmed; a test kills it.
// Arguments: journal file, synchronous, number of the first account.
import { writeSync } from 'node:fs';
import { stepNames } from '../../../src/domain/steps.ts';
import { openJournal } from '../../../src/journal/sqlite/open-journal.ts';

const [, , file = '', synchronous, first] = process.argv;

function say(...words: (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

say('opening');
const journal = openJournal(file, { synchronous: synchronous === 'FULL' ? 'FULL' : 'NORMAL', create: true });
const run = await journal.startRun({
  platform: 'p',
  platformLabel: 'p',
  dryRun: false,
  export: 'e',
  startedAt: 0,
});
say('run', run);
let next = Number(first);

async function flow(): Promise<never> {
  for (;;) {
    const number = next++;
    const { id } = await journal.open('p', { supplier: 'S', account: String(number) });
    say('opened', number);
    for (const step of stepNames) {
      const ref = { accountId: id, step, part: 0 };
      await journal.intend(ref, { hash: `hash of ${step}`, run, at: 1000 });
      say('intended', number, step);
      void journal.settle(ref, { state: 'done', outcome: 'ok', status: 201, at: 1001 });
      await journal.change(id, { steps: { [step]: 'done' } });
      say('settled', number, step);
    }
    await journal.change(id, { state: 'imported', krakenAccountNumber: `K-${number}` });
    await journal.change(id, { state: 'completed' });
    say('completed', number);
  }
}

await Promise.all(Array.from({ length: 8 }, flow));
