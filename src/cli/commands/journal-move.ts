import { CannotStart } from '../../app/cannot-start.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { journalFrom } from '../../domain/journal-name.ts';
import type { Moved } from '../../journal/move-journal.ts';
import type { RecordSource } from '../../journal/records.ts';
import type { JournalStore } from '../../journal/store.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { Printer } from '../../report/printer.ts';
import type { AnyCommand } from '../commander.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('move')
    .description('Move a journal between an SQLite file and PostgreSQL; can be interrupted and run again')
    .example(
      'migrate journal move .migrate/journal.db postgres://db.example.com/billing?schema=migrate',
      'migrate journal move postgres://db.example.com/billing .migrate/journal.db',
    )
    .argument('<from>', 'The journal: a path, or the address of a PostgreSQL database')
    .argument('<to>', 'Its new place, which has no journal yet');

type Flags = FlagsOf<typeof usage>;

export function journalMoveCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (from, to, flags) => ended(await journalMove(shell, from, to, flags)));
}

/** `migrate journal move`: copies every record, compares both, and lets only the new journal be used from then on. */
async function journalMove(shell: Shell, from: string, to: string, flags: Flags): Promise<ExitCode> {
  const { journalOf } = await import('../../app/journal-of.ts');
  const { conclude } = await import('../conclude.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
  return conclude(shell, 'journal', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const at = (name: string) => journalOf(shell, { ...config, journal: journalFrom(shell.cwd, name) });
    const moved = await move(shell, printer, at(from), at(to));
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
  const { moveJournal } = await import('../../journal/move-journal.ts');
  const { DatabaseRefused } = await import('../../domain/database-refused.ts');
  const source = await from.source();
  try {
    const earlier = await source.movedTo();
    if (earlier !== undefined && earlier !== to.location)
      throw new CannotStart(
        exitCodes.usage,
        `${from.location} was moved to ${earlier} already. Move that journal instead.`,
      );
    const target = await to.target().catch(async (error: unknown) => {
      const isThere = earlier !== undefined && error instanceof DatabaseRefused && (await hasJournal(to));
      if (!isThere) throw error;
      return undefined;
    });
    if (target === undefined) return undefined;
    try {
      await refuseHeld(shell, from);
      printer.progress.begin(2 * (await rowsIn(source)), 'row');
      const advance = (_table: string, rows: number): void => printer.progress.advance(rows);
      return await moveJournal(source, target, { copied: advance, compared: advance });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
    await beginMark(shell, to);
  }
}

async function rowsIn(source: RecordSource): Promise<number> {
  const { recordTables } = await import('../../journal/records.ts');
  let rows = 0;
  for (const table of recordTables) rows += await source.count(table);
  return rows;
}

/** Whether the place has a journal that can be used. */
function hasJournal(store: JournalStore): Promise<boolean> {
  return store.exists().catch(() => false);
}

async function refuseHeld(shell: Shell, store: JournalStore): Promise<void> {
  const { isDead } = await import('../../app/system/process-identity.ts');
  const [held] = await store.holders({ now: shell.clock.now(), isDead: isDead(shell) });
  if (held !== undefined)
    throw new CannotStart(
      exitCodes.supplierHeld,
      `Nothing is moved: a run holds ${held.supplier} in ${store.location}. Wait for it to end, or end it.`,
    );
}

/** Marks the new journal as the newest, so that its first run does not take it for a copy. */
async function beginMark(shell: Shell, to: JournalStore): Promise<void> {
  if (!(await hasJournal(to))) return;
  const journal = await to.open({ create: false });
  await journal.takeMark(shell.clock.now());
  await journal.close();
}

function movedText(moved: Moved | undefined, from: string, to: string): string {
  if (moved === undefined) return `${from} was moved to ${to} already.`;
  const { rows, accounts, isContinued } = moved;
  return (
    `${from} is moved to ${to}: ${counted(accounts, 'account')}, ${counted(rows, 'row')}, compared row for row` +
    `${isContinued ? '; an interrupted move was continued' : ''}. The old journal is kept and cannot be used any more.`
  );
}

function nextText({ journal }: Config, to: string): string {
  return journal === to ? '' : `From now on, name the new one: journal: ${to} in .migraterc, or --journal.`;
}
