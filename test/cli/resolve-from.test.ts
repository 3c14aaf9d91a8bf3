import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StepName } from '../../src/domain/steps.ts';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { concluded, linesOfType, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
const file = () => join(directory, 'rulings.csv');

/** Two uncertain agreements of one account, an uncertain process of another and an uncertain payment instruction. */
beforeEach(async () => {
  space = workspace();
  ({ directory } = space);
  const journal = openJournal(join(directory, '.migrate/journal.db'), {
    synchronous: 'NORMAL',
    create: true,
  });
  const run = await journal.startRun({
    ...{ platform: 'p', platformLabel: 'p', dryRun: false, export: 'e', startedAt: 1 },
  });
  const uncertain = async (account: string, step: StepName, parts: readonly number[]) => {
    const { id } = await journal.open('p', { supplier: 'S', account });
    for (const part of parts) {
      const ref = { accountId: id, step, part };
      await journal.intend(ref, { hash: `h${part}`, run, at: 1 });
      await journal.settle(ref, { state: 'uncertain', outcome: 'unknown', code: 'connection_reset', at: 2 });
    }
    const isProcess = step === 'process';
    if (!isProcess)
      await journal.change(id, {
        state: 'imported',
        steps: { process: 'done' },
        krakenAccountNumber: `A-${account}`,
      });
    await journal.change(id, {
      state: 'uncertain',
      code: 'connection_reset',
      steps: { [step]: 'uncertain' },
    });
  };
  await uncertain('=1', 'agreements', [0, 1]);
  await uncertain('2', 'process', [0]);
  await uncertain('3', 'payment-instruction', [0]);
  await journal.open('p', { supplier: 'S', account: '4' });
  await journal.close();
});
afterEach(() => space.dispose());

const here = (...args: string[]) => ranHere(args, directory);
const resolve = (...args: string[]) => here('resolve', '--from', 'rulings.csv', ...args, '--json');

/** The states of all accounts, with the numbers of those that have one. */
async function states(): Promise<unknown> {
  const ended = await here('list', '--json');
  return Object.fromEntries(linesOfType(ended.stdout, 'part').map(({ account, state }) => [account, state]));
}

const untouched = { '=1': 'uncertain', '2': 'uncertain', '3': 'uncertain', '4': 'pending' };

/** Writes the list of uncertain accounts with these rulings, in its order. */
async function ruled(...rulings: readonly string[]): Promise<void> {
  await here('list', '--state', 'uncertain', '--csv', 'rulings.csv', '--bom');
  const [header, ...lines] = readFileSync(file(), 'utf8').trimEnd().split('\n');
  // The last column is after those of the ruling and of its number.
  const filled = lines.map((line, at) => {
    const [ruling = '', number = ''] = (rulings[at] ?? '').split(',');
    return line.replace(/,,,([^,]*)$/, `,${ruling},${number},$1`);
  });
  writeFileSync(file(), [header, ...filled, ''].join('\n'));
}

describe('migrate resolve --from', () => {
  it('takes the list with its rulings, and counts them first', async () => {
    await ruled('done,A-2', '', 'done', 'repeat');
    const dry = concluded(await resolve('--dry-run'), 'resolve', 0);
    expect(dry).toMatchObject({ accounts: 2, rulings: 3, done: 2, repeat: 1, blank: 1, dryRun: true });
    expect(await states()).toEqual(untouched);
    expect(concluded(await resolve('--yes'), 'resolve', 0)).toMatchObject({ rulings: 3, dryRun: false });
    expect(await states()).toEqual({ ...untouched, '=1': 'imported', '2': 'imported' });
    const shown = concluded(await here('show', '2', '--json'), 'show', 0);
    expect(shown).toMatchObject({ krakenAccountNumber: 'A-2', steps: { process: 'done' } });
    // Given again, as after a crash.
    expect(concluded(await resolve('--yes'), 'resolve', 0)).toMatchObject({
      rulings: 0,
      already: 3,
      blank: 1,
    });
  });

  it('leaves an account uncertain of which a part has no ruling', async () => {
    await ruled('', '', 'done');
    expect(concluded(await resolve('--yes'), 'resolve', 0)).toMatchObject({ rulings: 1, blank: 3 });
    expect(await states()).toEqual(untouched);
  });

  it('records nothing if one line cannot be recorded, and names each by its place', async () => {
    writeFileSync(
      file(),
      [
        'account;step;ruling;part;number;supplier',
        "'=1;agreements;done;;;S",
        '9;agreements;done;;;S',
        '4;notes;done;;;',
        '2;process;done;;;S',
        '3;payment-instruction;maybe;1;;S',
        "'=1;agreements;repeat;2;;S",
        '2;process;done;;A-3;S',
        '3;payment;done;;;S',
        '3;payment-instruction;done;0;;S',
        '3;payment-instruction;done;;A-7;S',
      ].join('\r\n'),
    );
    const ended = await resolve('--yes');
    refused(
      ended,
      'resolve',
      2,
      'rulings.csv:3: The journal has no account 9 of S',
      'rulings.csv:4: 4: notes is not uncertain',
      'rulings.csv:5: 2: process as done needs the account number',
      "rulings.csv:6: The ruling 'maybe' is none of done, repeat and skip",
      'rulings.csv:7: =1: line 2 rules on the same part of agreements',
      'rulings.csv:8: 2: the number A-3 also belongs to account 3',
      "rulings.csv:9: There is no step 'payment'",
      "rulings.csv:10: The part '0' is not a whole number of at least 1",
      'rulings.csv:11: Only a ruling of process as done takes a number',
      'Nothing is changed: a file of rulings',
    );
    expect(await states()).toEqual(untouched);
  });

  it('asks on a terminal, and needs --yes where there is none', async () => {
    await ruled('', '', 'done', 'done');
    refused(await resolve(), 'resolve', 2, '2 rulings on 1 account (2 done, 0 repeat)');
    const questions: string[] = [];
    const answering = (answer: boolean) => ({
      interactive: true,
      confirm: (question: string) => (questions.push(question), Promise.resolve(answer)),
    });
    const args = ['resolve', '--from', 'rulings.csv', '--json'];
    refused(await ranHere(args, directory, answering(false)), 'resolve', 6, 'Nothing is changed.');
    expect(questions).toEqual(['Record 2 rulings on 1 account (2 done, 0 repeat) from rulings.csv?']);
    expect(await states()).toEqual(untouched);
    concluded(await ranHere(args, directory, answering(true)), 'resolve', 0);
    expect(await states()).toEqual({ ...untouched, '=1': 'imported' });
  });

  it('is told from a file of another kind, and from the flags of one ruling', async () => {
    writeFileSync(file(), 'account\n1\n');
    refused(await resolve('--yes'), 'resolve', 2, 'the columns step, ruling are missing');
    refused(await resolve('--step', 'notes'), 'resolve', 2, 'Remove --step');
    refused(await here('resolve', '2', '--json'), 'resolve', 2, 'Name the step with --step');
  });
});
