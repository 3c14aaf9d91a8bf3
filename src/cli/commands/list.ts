import { resolve } from 'node:path';
import type { AccountState } from '../../domain/account-state.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { counted } from '../../report/format.ts';
import { listHeader, listLine } from '../../report/list-file.ts';
import {
  listedParts,
  listedRecord,
  listedText,
  needsProblems,
  type KnownCells,
} from '../../report/listed-part.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { guardOutputs } from '../../app/output-files.ts';
import { outputKinds } from '../../app/output-kinds.ts';
import { collected } from '../collected.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { recordedSuppliers } from '../recorded-suppliers.ts';
import { openToRead } from '../open-to-read.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ListFlags extends CommonFlags {
  readonly state?: AccountState;
  readonly code?: string;
  readonly step?: StepName;
  readonly supplier?: string;
  /** Accounts. */
  readonly limit?: number;
  readonly csv?: string;
  readonly force?: boolean;
}

/** `migrate list`: lists the journal's accounts with what is not done of each, streamed. */
export function listCommand(shell: Shell, flags: ListFlags): Promise<ExitCode> {
  return conclude(shell, 'list', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    printer.showTimesIn(config.timeZone);
    const { csv, limit = Infinity } = flags;
    const journal = await openToRead(shell, config, printer);
    try {
      const suppliers = await recordedSuppliers(journal, config);
      const platforms = new Set(suppliers.map(({ platformLabel }) => platformLabel));
      if (platforms.size > 1)
        throw new CannotStart(
          exitCodes.usage,
          `The journal has several platforms: ${[...platforms].join(', ')}. Name one with --profile or MIGRATE_BASE_URL.`,
        );
      await guardOutputs(shell, config, [{ name: '--csv', path: csv, kind: outputKinds.list }], flags);
      const file = csv === undefined ? undefined : AtomicFile.open(resolve(shell.cwd, csv));
      if (file !== undefined && !(file instanceof AtomicFile))
        throw new CannotStart(exitCodes.usage, `--csv: ${file.refusal}`);
      const { timeZone } = printer.page;
      let [accounts, parts, isCut] = [0, 0, false];
      try {
        file?.add(listHeader);
        const states = flags.state === undefined ? undefined : [flags.state];
        for (const { platform, supplier } of suppliers) {
          for await (const entry of journal.accounts(platform, supplier, states)) {
            if (isGone(entry)) continue;
            const lines = listedParts(entry, await knownCells(journal, entry), flags);
            if (lines.length === 0) continue;
            isCut = accounts === limit;
            if (isCut) break;
            accounts += 1;
            parts += lines.length;
            for (const line of lines) {
              file?.add(listLine(line));
              printer.line(listedRecord(line), file === undefined ? listedText(line, timeZone) : undefined);
            }
          }
          if (isCut) break;
        }
        const failure = file?.complete();
        if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--csv: ${failure}`);
      } finally {
        file?.close();
      }
      return {
        exit: exitCodes.done,
        summary: { accounts, parts, isCut, ...(csv === undefined ? {} : { csv }) },
        text: () =>
          `${counted(accounts, 'account')}${csv === undefined ? '' : ` in ${csv}`}${isCut ? '. There are more: --limit cut the list.' : ''}`,
      };
    } finally {
      await journal.close();
    }
  });
}

/** Not created, and no longer in its export: it is in no count either. */
function isGone({ isAbsent, krakenAccountNumber, state }: AccountEntry): boolean {
  return isAbsent === true && krakenAccountNumber === undefined && state !== 'uncertain';
}

async function knownCells(journal: Journal, entry: AccountEntry): Promise<KnownCells> {
  return {
    problems: needsProblems(entry) ? await collected(journal.problems(entry.id)) : [],
    partCells: entry.state === 'uncertain' ? await collected(journal.partCells(entry.id)) : [],
  };
}
