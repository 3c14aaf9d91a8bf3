import { shownText } from '../../domain/foreign-text.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { withTotal } from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { counted, formatCount } from '../../report/format.ts';
import type { Shell } from '../shell.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { partlyReadText } from '../../report/partly-read.ts';
import { uncountedOf } from '../../domain/account-state.ts';
import { numbersHeader, numbersLine } from '../../report/csv-lists.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { sharedNumbers } from '../../pipeline/numbers/shared-numbers.ts';
import { concludeReading } from '../open-to-read.ts';
import { readingsOf, readingsRecord, withReadings } from '../../report/readings.ts';
import type { NumbersFlags } from '../usages/numbers.ts';

/** Of accounts whose number is in doubt. */
const mostNamed = 3;

/** `migrate numbers`: writes old and new account numbers, for downstream systems. */
export async function numbers(shell: Shell, flags: NumbersFlags): Promise<ExitCode> {
  return concludeReading(shell, 'numbers', flags, async ({ config, journal }) => {
    const suppliers = await recordedSuppliers(journal, config);
    const platforms = new Set(suppliers.map(({ platformLabel }) => platformLabel));
    if (platforms.size > 1)
      throw new CannotStart(
        exitCodes.usage,
        `The journal has several platforms: ${[...platforms].join(', ')}. Name one with --profile or MIGRATE_BASE_URL.`,
      );
    await guardOutputs(shell, config, [{ name: '--out', path: flags.out, kind: outputKinds.numbers }], flags);
    const file = AtomicFile.open(resolve(shell.cwd, flags.out));
    if (!(file instanceof AtomicFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
    try {
      const readings = await readingsOf(journal, suppliers);
      let accounts = 0;
      const isExact = flags.out.toLowerCase().endsWith('.exact.csv');
      const doubtful: string[] = [];
      let leftOut = 0;
      let theirs = 0;
      const partlyRead = suppliers.flatMap((overview) => overview.partlyRead);
      const uncounted = uncountedOf(partlyRead);
      const counts = suppliers.reduce((sum, { accounts: book }) => sum + withTotal(book).total, 0);
      const total = counts + (uncounted ?? 0);
      file.add(numbersHeader);
      for (const { platform, supplier } of suppliers) {
        const isShared = await sharedNumbers(journal, platform);
        for await (const entry of journal.accounts(platform, supplier)) {
          if (entry.state === 'skipped') theirs += 1;
          if (entry.krakenAccountNumber === undefined || entry.state === 'skipped') continue;
          if (entry.steps.process !== 'done' || (await isShared(entry))) {
            leftOut += 1;
            if (doubtful.length < mostNamed) doubtful.push(entry.key.account);
            continue;
          }
          file.add(numbersLine(entry, isExact));
          accounts += 1;
        }
      }
      const failure = file.complete();
      if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
      return {
        exit: leftOut === 0 ? exitCodes.done : exitCodes.uncertain,
        summary: {
          accounts,
          total,
          uncounted: partlyRead.length === 0 ? undefined : uncounted,
          leftOut,
          theirs,
          ...readingsRecord(readings),
          out: flags.out,
        },
        errors: leftOut === 0 ? [] : [leftOutDetail(leftOut, doubtful)],
        text: (page) => {
          const told =
            accounts === total
              ? `${counted(accounts, 'account')} in ${shownText(flags.out)}`
              : `${formatCount(accounts)} of ${counted(total, 'account')} in ${shownText(flags.out)}: ${othersText({ leftOut, theirs, others: total - accounts })}`;
          const text = partlyRead.length === 0 ? told : `${told}.\n${partlyReadText(partlyRead)}`;
          return withReadings(page, text, readings);
        },
      };
    } finally {
      file.close();
    }
  });
}

/** Why accounts are not in the file. */
function othersText(of: {
  readonly leftOut: number;
  readonly theirs: number;
  readonly others: number;
}): string {
  const { leftOut, theirs, others } = of;
  const rest = others - leftOut - theirs;
  return [
    ...(rest > 0 ? [`${formatCount(rest)} not created`] : []),
    ...(theirs > 0
      ? [`${formatCount(theirs)} skipped, which the platform has and this journal did not create`]
      : []),
    ...(leftOut > 0 ? [`${formatCount(leftOut)} whose numbers are in doubt`] : []),
  ].join(', ');
}

function leftOutDetail(count: number, named: readonly string[]): string {
  const which = `${named.join(', ')}${count > named.length ? ', ...' : ''}`;
  return (
    `${counted(count, 'account')} left out, because another account may have the same platform number: ${which}. ` +
    'Run the export again: the run asks the platform which of them has it. Settle what stays uncertain with `migrate resolve`.'
  );
}
