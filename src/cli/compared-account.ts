import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { dateMovedCode } from '../domain/shared-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { AccountEntry } from '../journal/journal.ts';
import { printOf } from '../pipeline/hash.ts';
import type { AccountRead } from '../read-back/account-reader.ts';
import { compareAccount } from '../read-back/compare-account.ts';
import { expectedAccount } from '../read-back/expected-account.ts';
import { likelySettings, type LikelySetting } from '../read-back/likely-settings.ts';
import type { PlatformAccount } from '../read-back/platform-account.ts';
import { counted } from '../report/format.ts';
import type { Printer } from '../report/printer.ts';
import type { Finding } from './doctor-checks.ts';
import { sentData } from './sent-data.ts';
import type { Shell } from './shell.ts';

const check = 'read-back';

interface Compared {
  readonly shell: Shell;
  readonly printer: Printer;
  readonly config: Config;
  /** Undefined: the export that the account's data came from, by the journal. */
  readonly path: string | undefined;
}

/** What comparing an account with what was sent says of the configuration, and what is seen not to be readable by it (`hiddenToo`). Tells no value. */
export async function comparedFindings(
  { shell, printer, config, path }: Compared,
  entry: AccountEntry,
  again: () => Promise<AccountRead>,
  first: PlatformAccount,
  hiddenToo: Map<string, string>,
): Promise<readonly Finding[]> {
  const { account } = entry.key;
  const from = path ?? entry.dataFrom;
  const skipped = (why: string): readonly Finding[] => [
    {
      check,
      state: 'skipped',
      detail: `Account ${account} was not compared: ${why}`,
      remedy: 'Name the export that was sent with --export.',
    },
  ];
  if (from === undefined) return skipped('the journal does not know from which export it was sent.');
  const quiet = { ...printer, info: () => undefined, detail: () => undefined, warn: () => undefined };
  let plan;
  try {
    ({ plan } = await sentData(
      { shell, printer: quiet, config },
      { entry },
      { path: from, fixes: undefined },
    ));
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return skipped(error.lines.join(' '));
  }
  if (entry.planHash !== printOf(plan).planHash)
    return skipped(`its data in ${from} changed since it was sent.`);
  const datesMoved = entry.parts.some(({ code }) => code === dateMovedCode);
  const expected = expectedAccount(
    { ...plan, steps: entry.steps, datesMoved },
    config.readBack.decimals ?? 2,
  );
  const options = { timeZone: config.timeZone };
  // A server may be behind: a difference counts if a second reading has it too.
  const isEqual = compareAccount(expected, first, options).differences.length === 0;
  const second = isEqual ? undefined : await again();
  const held = second?.kind === 'read' ? second.account : first;
  const { differences, hidden } = compareAccount(expected, held, options);
  for (const [field, reason] of hidden) hiddenToo.set(field, reason);
  if (differences.length === 0)
    return [
      {
        check,
        state: 'ok',
        detail: `The platform holds of account ${account} what was sent, as far as it can be read.`,
      },
    ];
  const fields = [...new Set(differences.map(({ field }) => field))].sort();
  const failed = { check, state: 'failed', exit: exitCodes.uncertain } as const;
  const likely = likelySettings(expected, held, options);
  return [
    {
      ...failed,
      detail: `Account ${account} differs from what was sent in ${counted(differences.length, 'place')}: ${fields.join(', ')}.`,
      remedy:
        likely.length === 0
          ? `Compare both sides with migrate show ${account} --platform --export ${from}.`
          : 'Correct what is likely wrong, below, and check again.',
    },
    ...likely.map((one) => ({ ...failed, ...likelyFinding(one, differences.length) })),
  ];
}

function likelyFinding(
  { settings, looks, fields, explains }: LikelySetting,
  all: number,
): Pick<Finding, 'detail' | 'remedy' | 'field'> {
  const [setting = ''] = settings;
  const named = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return {
    detail: `It looks as if ${looks}: ${explains} of the ${counted(all, 'difference')}${named} would not be there.`,
    remedy: `Check ${settings.join(', ')}.`,
    field: setting,
  };
}
