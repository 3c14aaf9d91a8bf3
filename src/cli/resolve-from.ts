import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { SupplierOverview } from '../journal/journal.ts';
import { takeDown, type Ruling } from '../pipeline/rulings.ts';
import { counted, formatCount } from '../report/format.ts';
import { CannotStart } from '../app/cannot-start.ts';
import { actorOf } from '../app/system/actor.ts';
import { openToChange } from '../app/open-to-change.ts';
import { checkRulings, type CheckedRulings } from './checked-rulings.ts';
import type { CommonFlags } from './usage.ts';
import { conclude } from './conclude.ts';
import { holdingSupplier } from './holding-supplier.ts';
import { recordedSuppliers } from './recorded-suppliers.ts';
import { readRulingFile, type RulingFault, type RulingFile } from './ruling-file.ts';
import { openToRead } from './open-to-read.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { Shell } from './shell.ts';

export interface ResolveFromFlags extends CommonFlags {
  readonly from?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly supplier?: string;
  /** Options that exclude `from`. */
  readonly account?: string | undefined;
  readonly step?: string;
  readonly as?: string;
  readonly part?: number;
  readonly number?: string;
  readonly accounts?: string;
}

const mostShown = 20;

/**
 * `migrate resolve --from`: records the rulings of a file, all of them or none. The whole file is checked before any
 * change, and again while no run holds its suppliers; then one commit records them all.
 */
export function resolveFrom(shell: Shell, flags: ResolveFromFlags): Promise<ExitCode> {
  return conclude(shell, 'resolve', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { from = '', dryRun = false } = flags;
    for (const name of ['account', 'step', 'as', 'part', 'number', 'accounts'] as const)
      if (flags[name] !== undefined)
        throw new CannotStart(
          exitCodes.usage,
          `--from reads accounts, steps and rulings from the file. Remove ${name === 'account' ? 'the account' : `--${name}`}.`,
        );
    const file = await readRulingFile(shell, from);
    const journal = dryRun
      ? await openToRead(shell, config, printer)
      : await openToChange(shell, config, printer, { create: false });
    try {
      const suppliers = await recordedSuppliers(journal, config);
      const check = async (): Promise<CheckedRulings> => {
        const checked = await checkRulings(journal, suppliers, file.rows);
        refuseFaults(from, [...file.faults, ...checked.faults]);
        return checked;
      };
      let checked = await check();
      if (!dryRun && checked.accounts.length > 0) {
        await askFirst(shell, flags, countsText(checked));
        const held = suppliers.filter(({ platform, supplier }) =>
          checked.accounts.some((one) => one.platform === platform && one.entry.key.supplier === supplier),
        );
        const take = async (): Promise<void> => {
          // Their state now, which cannot change meanwhile.
          checked = await check();
          const ruler = { by: actorOf(shell), at: shell.clock.now() };
          await Promise.all(
            checked.accounts.map(({ entry, rulings }) => takeDown(journal, entry, rulings, ruler)),
          );
        };
        await holding({ shell, config, journal }, held, take);
      }
      return {
        exit: exitCodes.done,
        summary: { ...countsOf(checked, file), from, dryRun },
        text: () => endText(checked, file, from, dryRun),
      };
    } finally {
      await journal.close();
    }
  });
}

/** Runs work while no run holds any of these suppliers. */
function holding(
  ports: Parameters<typeof holdingSupplier>[0],
  [first, ...others]: readonly SupplierOverview[],
  work: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return work();
  return holdingSupplier(ports, first, () => holding(ports, others, work));
}

function refuseFaults(from: string, faults: readonly RulingFault[]): void {
  if (faults.length === 0) return;
  const inOrder = faults.toSorted((a, b) => a.line - b.line);
  const more = inOrder.length - mostShown;
  throw new CannotStart(exitCodes.usage, [
    ...inOrder.slice(0, mostShown).map(({ line, detail }) => `${from}:${line}: ${detail}`),
    ...(more > 0 ? [`${from}: ${counted(more, 'more line')} cannot be recorded.`] : []),
    'Nothing is changed: a file of rulings is recorded as a whole or not at all.',
  ]);
}

async function askFirst(shell: Shell, { from = '', yes }: ResolveFromFlags, counts: string): Promise<void> {
  if (yes === true) return;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This records ${counts} from ${from}, and there is no terminal for a confirmation. Add --yes or --dry-run.`,
    );
  if (!(await shell.confirm(`Record ${counts} from ${from}?`)))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing is changed.');
}

function countsOf({ accounts, already }: CheckedRulings, { blank }: RulingFile) {
  const rulings = accounts.flatMap((account) => account.rulings);
  const ruledAs = (as: Ruling['as']) => rulings.filter(({ ruling }) => ruling.as === as).length;
  return {
    accounts: accounts.length,
    rulings: rulings.length,
    done: ruledAs('done'),
    repeat: ruledAs('repeat'),
    skip: ruledAs('skip'),
    already,
    blank,
  };
}

function countsText(checked: CheckedRulings): string {
  const { accounts, rulings, done, repeat, skip } = countsOf(checked, { rows: [], blank: 0, faults: [] });
  const skipped = skip === 0 ? '' : `, ${formatCount(skip)} skip`;
  return `${counted(rulings, 'ruling')} on ${counted(accounts, 'account')} (${formatCount(done)} done, ${formatCount(repeat)} repeat${skipped})`;
}

function endText(checked: CheckedRulings, file: RulingFile, from: string, dryRun: boolean): string {
  const { rulings, already, blank } = countsOf(checked, file);
  const rest = [
    ...(already === 0 ? [] : [`${counted(already, 'line')} recorded before`]),
    ...(blank === 0 ? [] : [`${counted(blank, 'line')} without a ruling`]),
  ].join(', ');
  const tail = rest === '' ? '' : ` Skipped: ${rest}.`;
  if (rulings === 0) return `Nothing to record from ${from}.${tail}`;
  if (dryRun) return `${countsText(checked)} would be recorded.${tail} Nothing is changed.`;
  return `${countsText(checked)} recorded.${tail} The next run continues.`;
}
