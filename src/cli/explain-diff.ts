import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CannotStart } from '../host/cannot-start.ts';
import { comparePayloads, type ChangedField, type PayloadsCompared } from './compare-payloads.ts';
import { effectiveRules } from '../run/effective-rules.ts';
import type { Plans } from '../run/reading/plans.ts';
import { openPlansWith, type PlansWithOptions } from '../run/reading/open-plans-with.ts';
import { namesDatabase, placeExport } from '../run/reading/place-export.ts';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import { stringifyJson, type JsonValue } from '../domain/json.ts';
import { shownText } from '../domain/foreign-text.ts';
import { counted, formatCount } from '../report/format.ts';
import { nameUnder } from '../source/places/address.ts';
import { cellRecord, place } from '../domain/cell.ts';
import { conclude, resolveSettings } from './conclude.ts';
import type { Shell } from './shell.ts';
import type { CommonFlags } from './usage.ts';

type DiffFlags = CommonFlags & {
  /** Another mapping. */
  readonly diff?: string;
  /** An earlier export. */
  readonly earlier?: string;
  readonly limit?: number;
  readonly with?: readonly string[];
  readonly snapshot?: string;
};

const usualLimit = 1000;

/**
 * `migrate explain --diff`, `--earlier`: what another mapping or an earlier export changes in the payloads of a sample.
 * Values are shown only of an account that is named. If the mapping names a database, `first` may be the account, or left out.
 */
export function explainDiff(
  shell: Shell,
  first: string | undefined,
  second: string | undefined,
  flags: DiffFlags,
): Promise<ExitCode> {
  return conclude(shell, 'explain', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const { contract } = await effectiveRules(shell, printer, config);
    const isAccount =
      first !== undefined &&
      second === undefined &&
      first !== '-' &&
      !existsSync(resolve(shell.cwd, first)) &&
      (await namesDatabase(shell, config));
    const [path, account] = isAccount ? [undefined, first] : [first, second];
    const { snapshot } = flags;
    const placed = await placeExport(shell, printer, { path, snapshot, config, purpose: 'read' });
    const open = (path: string, options: Pick<PlansWithOptions, 'mapping' | 'with' | 'namedUnder'>) =>
      openPlansWith(shell, printer, path, { ...config, ...options, tenancy: contract });
    let after: Plans | undefined;
    try {
      const { diff, earlier, with: fixes } = flags;
      const mapping = diff === undefined ? config.mapping : resolve(shell.cwd, diff);
      after = await open(placed.path, { with: fixes });
      const before = await (earlier === undefined
        ? open(placed.path, { mapping, with: fixes })
        : open(earlier, { mapping, namedUnder: nameUnder(earlier) }));
      try {
        const compared = await comparePayloads(before, after, {
          ...{ limit: flags.limit ?? usualLimit, account, ignoresOrder: earlier !== undefined },
        });
        if (compared.hasLeft)
          throw new CannotStart(
            exitCodes.usage,
            `The export has no account ${account ?? ''} any more: it is only in ${earlier ?? 'what the other mapping makes'}.`,
          );
        if (account !== undefined && compared.accounts + compared.added === 0)
          throw new CannotStart(
            exitCodes.usage,
            `The export has no account ${account}. Write its number as the mapping makes it, with leading zeros.`,
          );
        for (const record of recordsOf(compared, account)) printer.line(record);
        const { accounts, changed, added, fields } = compared;
        return {
          exit: exitCodes.done,
          summary: { accounts, changed, added, fields: fields.length },
          text: () =>
            textOf(compared, account, earlier === undefined ? 'with the new mapping' : 'in the new export'),
          evenIfQuiet: true,
        };
      } finally {
        before.close();
      }
    } finally {
      after?.close();
      await placed.close();
    }
  });
}

function recordsOf({ fields, differences }: PayloadsCompared, account: string | undefined): object[] {
  if (account !== undefined)
    return differences.map(({ path, expected = null, found = null, cell, earlier }) => ({
      ...{ type: 'difference', account, path, before: expected, after: found },
      ...cellRecord(cell),
      beforeCell: earlier === undefined ? null : cellRecord(earlier),
    }));
  return fields.map(({ examples, ...field }) => ({
    ...{ type: 'field', ...field },
    examples: examples.map((example) => ({ account: example.account, ...cellRecord(example.cell) })),
  }));
}

function textOf(compared: PayloadsCompared, account: string | undefined, where: string): string {
  const { accounts, changed, added, fields, differences } = compared;
  const lines =
    account === undefined
      ? fields.flatMap(fieldLines)
      : differences.flatMap(({ path, expected, found, cell, earlier }) => {
          const was = earlier === undefined ? '' : `, before ${place(earlier)}`;
          const where = cell === undefined ? '' : `  (${place(cell)}${was})`;
          return [shownText(path), `    ${shown(expected)} -> ${shown(found)}${where}`];
        });
  const more =
    added === 0 ? '' : ` ${counted(added, 'account')} ${added === 1 ? 'exists' : 'exist'} only ${where}.`;
  const end = `${counted(accounts, 'account')} compared: ${formatCount(changed)} changed.${more}`;
  return [...lines, ...(lines.length === 0 ? [] : ['']), end].join('\n');
}

function fieldLines({ path, accounts, added, removed, changed, examples }: ChangedField): string[] {
  const kinds = Object.entries({ added, removed, changed }).filter(([, count]) => count > 0);
  const how = kinds.map(([kind, count]) => `${kind} in ${formatCount(count)}`).join(', ');
  return [
    `${shownText(path)}: ${counted(accounts, 'account')} (${how})`,
    ...examples.map(
      ({ account, cell }) => `    ${shownText(account)}${cell === undefined ? '' : `  ${place(cell)}`}`,
    ),
  ];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shownText(stringifyJson(value));
}
