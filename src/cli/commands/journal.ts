import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import { backupsBeside } from '../backups-beside.ts';
import { stopDetail } from '../../report/advice/stop-detail.ts';
import { actorOf } from '../../host/actor.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { isServerAddress, journalFrom, journalNameFault } from '../../domain/journal-name.ts';
import { numberOfAnotherAccount } from '../../domain/shared-codes.ts';
import type { Moved } from '../../journal/safety/move-journal.ts';
import type { RecordSource } from '../../journal/safety/records.ts';
import type { JournalStore, RestoreLoss } from '../../journal/store.ts';
import { givenFlags } from '../../report/command-line.ts';
import { jsonLine } from '../../domain/foreign-text.ts';
import { counted, formatDuration, formatTime, isoTime } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Printer } from '../../report/printer.ts';
import type { Shell } from '../shell.ts';
import { type CommonFlags } from '../usage.ts';
import { journalOf } from '../../run/session/journal-of.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { isDead } from '../../host/process-identity.ts';
import { openToChange } from '../../run/session/open-to-change.ts';
import { upgradeOptions } from '../../run/session/upgrade-options.ts';
import { moveJournal } from '../../journal/safety/move-journal.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { recordTables } from '../../journal/safety/records.ts';
import { interventionRecord } from '../../report/interventions.ts';
import { runRecord } from '../../report/history-table.ts';
import { upgradeRecord } from '../../report/upgrades.ts';
import { journalAccountRecord } from '../../report/account-history.ts';
import { concludeReading } from '../open-to-read.ts';
import { storyOf } from '../account-history.ts';
import type { JournalBackupFlags, JournalRestoreFlags, JournalMoveFlags } from '../usages/journal.ts';

const mostNamed = 20;

/** `migrate journal check`: checks the journal's integrity and consistency. */
export async function journalCheck(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal } = config;
    const byCode = new Map<string, number>();
    let faults = 0;
    for await (const fault of journalOf(shell, config).faults()) {
      const { code, detail, supplier = null, account = null } = fault;
      faults += 1;
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
      const whose = [account, supplier].filter((part) => part !== null).join(' of ');
      printer.line(
        { type: 'fault', code, supplier, account, detail },
        ...(faults <= mostNamed ? [`${whose === '' ? '' : `${whose}: `}${detail} (${code})`] : []),
      );
    }
    const shared = byCode.get(numberOfAnotherAccount) ?? 0;
    const named = faults > mostNamed ? ` The first ${mostNamed} are named; --json lists all.` : '';
    const errors = [];
    if (faults > shared)
      errors.push(
        `${journal} has ${counted(faults - shared, 'fault')}. Restore a backup: migrate journal restore FILE${givenFlags(flags)}.`,
      );
    if (shared > 0)
      errors.push(
        `${counted(shared, 'account')} ${shared === 1 ? 'has' : 'have'} the platform number of another account. ` +
          'Run the export again: the run asks the platform which of them has it. Settle what stays uncertain with `migrate resolve`.',
      );
    return {
      exit: faults === 0 ? exitCodes.done : faults > shared ? exitCodes.usage : exitCodes.uncertain,
      summary: { action: 'check', journal, faults, byCode: Object.fromEntries(byCode) },
      text: () => (faults === 0 ? `${journal} is sound.` : ''),
      errors: errors.map((error, at) => (at === 0 ? error + named : error)),
    };
  });
}

/** Never repeats the name: it may contain a password. */
function refuseName(argument: string, name: string, { isFile = false } = {}): void {
  const fault = isFile && isServerAddress(name) ? 'must be a file, not an address' : journalNameFault(name);
  if (fault !== undefined) throw new CannotStart(exitCodes.usage, `<${argument}> ${fault}.`);
}

/** `migrate journal backup`: copies the journal as it is at one moment, even during a run. */
export async function journalBackup(
  shell: Shell,
  target: string,
  flags: JournalBackupFlags,
): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal } = config;
    refuseName('file', target, { isFile: true });
    await guardOutputs(shell, config, [{ name: 'FILE', path: target }], flags);
    const kept = await journalOf(shell, config).backUp(resolve(shell.cwd, target), {
      replace: flags.force ?? false,
    });
    if (kept !== undefined)
      printer.warn(
        `${target} was the backup of another journal. It is kept as ${kept}: if that journal is missing, restore it from there.`,
      );
    return {
      exit: exitCodes.done,
      summary: { action: 'backup', journal, backup: target, kept },
      text: () => `${journal} is copied to ${target}.`,
    };
  });
}

/** `migrate journal restore`: replaces the journal by a backup; the next run finds out what was done since. */
export async function journalRestore(
  shell: Shell,
  backup: string,
  flags: JournalRestoreFlags,
): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal, timeZone } = config;
    refuseName('file', backup, { isFile: true });
    printer.showTimesIn(timeZone);
    const now = shell.clock.now();
    const approve = async (loss: RestoreLoss): Promise<void> => {
      const { page } = printer;
      const facts = [
        `${journal}: ${ageText(loss.journalAt, now, page.timeZone)}.`,
        `${backup}: ${ageText(loss.backupAt, now, page.timeZone)}.`,
        `The backup does not have ${lossText(loss)}.`,
      ];
      if (flags.yes === true) return;
      if (!shell.interactive)
        throw new CannotStart(exitCodes.usage, [
          ...facts,
          'Nothing is restored: there is no terminal for a confirmation. Add --yes to restore anyway.',
        ]);
      for (const fact of facts) printer.warn(fact);
      if (!(await shell.confirm(`Replace ${journal} with ${backup}?`)))
        throw new CannotStart(exitCodes.stoppedEarly, 'Nothing is restored.');
    };
    for (const other of await backupsBeside(resolve(shell.cwd, backup)))
      printer.warn(
        `${other} is the backup of another journal, whose place ${backup} took. If that journal is the one that is missing, restore this one instead.`,
      );
    const moment = { now, isDead: isDead(shell), by: actorOf(shell), approve };
    const restored = await journalOf(shell, config).restore(resolve(shell.cwd, backup), moment);
    if (restored.kind === 'held') {
      const { supplier, held } = restored.by;
      throw new CannotStart(
        exitCodes.supplierHeld,
        `Nothing is restored: ${stopDetail('held', supplier, held)}`,
      );
    }
    const { kept, loss } = restored;
    return {
      exit: exitCodes.done,
      summary: { action: 'restore', journal, backup, kept: kept ?? null, ...lossRecord(loss) },
      text: (page) =>
        [
          `${backup} is restored as ${journal}.`,
          ...(kept === undefined ? [] : [`The previous journal is ${kept}. ${keptText(loss)}`]),
          'What it does not have as done may have been sent since the backup. The next run finds that out before it ' +
            'sends anything: it asks the platform whether an account exists, repeats what is harmless to repeat, and ' +
            'marks the rest as uncertain, for you to rule on.',
        ]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}

function ageText(at: number | undefined, now: number, timeZone: string): string {
  if (at === undefined) return 'nothing was recorded in it yet';
  return `last written ${formatTime(at, timeZone)} (${timeZone}), ${formatDuration(Math.max(0, now - at))} ago`;
}

function lossText({ runs, accounts, rulings }: RestoreLoss): string {
  const parts = [
    ...(runs === 0 ? [] : [counted(runs, 'run')]),
    ...(accounts === 0 ? [] : [`changes to ${counted(accounts, 'account')}`]),
    ...(rulings === 0 ? [] : [counted(rulings, 'ruling or retry', 'rulings and retries')]),
  ];
  const [last = '', ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

function keptText(loss: RestoreLoss | undefined): string {
  if (loss === undefined) return 'It is damaged, so what it has beyond the backup is not known.';
  if (loss.runs + loss.accounts + loss.rulings === 0) return 'It has nothing beyond the backup.';
  return `The backup does not have ${lossText(loss)}.`;
}

/** For programs. `lost` is null if the previous journal could not be read. */
function lossRecord(loss: RestoreLoss | undefined): object {
  const time = (at: number | undefined) => (at === undefined ? null : isoTime(at));
  if (loss === undefined) return { journalAt: null, backupAt: null, lost: null };
  const { journalAt, backupAt, runs, accounts, rulings } = loss;
  return { journalAt: time(journalAt), backupAt: time(backupAt), lost: { runs, accounts, rulings } };
}

/** `migrate journal upgrade`: brings the journal to this version, as the next run would. */
export async function journalUpgrade(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { journal } = config;
    const store = journalOf(shell, config);
    const upgraded = await store.upgrade(upgradeOptions(shell, printer));
    // Says why, if there is no journal that can be used, and puts accounts where the present rules put them.
    await (await openToChange(shell, config, printer, { create: false })).close();
    const { from = null, to = null, backup = null } = upgraded ?? {};
    return {
      exit: exitCodes.done,
      summary: { action: 'upgrade', journal, upgraded: upgraded !== undefined, from, to, backup },
      text: () => (upgraded === undefined ? `${journal} is of this version already.` : ''),
    };
  });
}

/** `migrate journal move`: copies every record, compares both, and lets only the new journal be used from then on. */
export async function journalMove(
  shell: Shell,
  from: string,
  to: string,
  flags: JournalMoveFlags,
): Promise<ExitCode> {
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const at = (name: string) => journalOf(shell, { ...config, journal: journalFrom(shell.cwd, name) });
    refuseName('from', from);
    refuseName('to', to);
    const moved = await move(shell, printer, at(from), at(to));
    await beginMark(shell, at(to));
    return {
      exit: exitCodes.done,
      summary: {
        ...{ action: 'move', from: at(from).location, to: at(to).location },
        ...{ rows: moved?.rows ?? 0, accounts: moved?.accounts ?? 0, moved: moved !== undefined },
      },
      text: (page) =>
        [movedText(moved, at(from).location, at(to).location), nextText(config, at(to).location)]
          .map((line) => paragraph(page, line, ''))
          .join('\n'),
    };
  });
}

/** undefined if it was moved there already. */
async function move(
  shell: Shell,
  printer: Printer,
  from: JournalStore,
  to: JournalStore,
): Promise<Moved | undefined> {
  const source = await from.source();
  try {
    const earlier = await source.movedTo();
    if (earlier !== undefined && earlier !== to.location)
      throw new CannotStart(
        exitCodes.usage,
        `${from.location} was already moved to ${earlier}. Move that journal instead.`,
      );
    // Before a place is prepared for what will not come.
    await refuseHeld(shell, from);
    const target = await to.target().catch(async (error: unknown) => {
      if (!(error instanceof DatabaseRefused)) throw error;
      if (earlier !== undefined && (await hasJournal(to))) return undefined;
      throw (await keptAt(to)) ?? error;
    });
    if (target === undefined) return undefined;
    try {
      printer.progress.begin(2 * (await rowsIn(source)), 'row');
      const advance = (_table: string, rows: number): void => printer.progress.advance(rows);
      return await moveJournal(source, target, { copied: advance, compared: advance });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function rowsIn(source: RecordSource): Promise<number> {
  let rows = 0;
  for (const table of recordTables) rows += await source.count(table);
  return rows;
}

/** The refusal of a place that has an old journal, which was moved from there; undefined if it has none. */
async function keptAt(to: JournalStore): Promise<CannotStart | undefined> {
  const there = await to.source().catch(() => undefined);
  try {
    const target = await there?.movedTo();
    return target === undefined
      ? undefined
      : new CannotStart(
          exitCodes.usage,
          `Nothing is moved: ${to.location} has the old journal that was moved to ${target} and kept. Name a place without a journal, or put the old one elsewhere.`,
        );
  } finally {
    await there?.close();
  }
}

/** Whether the place has a journal that can be used. */
function hasJournal(store: JournalStore): Promise<boolean> {
  return store.exists().catch(() => false);
}

async function refuseHeld(shell: Shell, store: JournalStore): Promise<void> {
  const [held] = await store.holders({ now: shell.clock.now(), isDead: isDead(shell) });
  if (held !== undefined)
    throw new CannotStart(
      exitCodes.supplierHeld,
      `Nothing is moved: a run holds ${held.supplier} in ${store.location}. Wait for it to end, or end it.`,
    );
}

/** Marks the new journal as the newest, so that its first run does not take it for a copy. */
async function beginMark(shell: Shell, to: JournalStore): Promise<void> {
  const journal = await to.open({ create: false });
  await journal.takeMark(shell.clock.now());
  await journal.close();
}

function movedText(moved: Moved | undefined, from: string, to: string): string {
  if (moved === undefined) return `${from} was already moved to ${to}.`;
  const { rows, accounts, isContinued } = moved;
  return (
    `${from} is moved to ${to}: ${counted(accounts, 'account')}, ${counted(rows, 'row')}, compared row for row` +
    `${isContinued ? '; an interrupted move was continued' : ''}. The old journal is kept and can no longer be used.`
  );
}

function nextText({ journal }: Config, to: string): string {
  return journal === to ? '' : `From now on, name the new one: journal: ${to} in .migraterc, or --journal.`;
}

/** `migrate journal export`: prints everything in the journal as JSON lines, account by account. */
export function journalExport(shell: Shell, flags: CommonFlags): Promise<ExitCode> {
  return concludeReading(shell, 'journal', flags, async ({ printer, journal }) => {
    const tell = (record: object): void => printer.line(record, jsonLine(record));
    let runs = 0;
    let accounts = 0;
    for await (const run of journal.runs()) {
      tell(runRecord(run));
      runs += 1;
    }
    for await (const intervention of journal.interventions()) tell(interventionRecord(intervention));
    for (const upgrade of await journal.upgrades.all()) tell(upgradeRecord(upgrade));
    for (const { platform, platformLabel, supplier } of await journal.overview())
      for await (const entry of journal.accounts(platform, supplier)) {
        tell(journalAccountRecord(platform, await storyOf(journal, { platform, platformLabel, entry })));
        accounts += 1;
      }
    return { exit: exitCodes.done, summary: { action: 'export', runs, accounts } };
  });
}
