import { join, relative } from 'node:path';
import { CannotStart } from '../host/cannot-start.ts';
import { readContract } from '../run/effective-rules.ts';
import { keptIndexes } from '../run/reading/open-plans.ts';
import { openPlansWith } from '../run/reading/open-plans-with.ts';
import { cuttingOf } from '../run/pipeline-settings.ts';
import { exportPlace } from '../run/reading/export-place.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { sentCells } from '../pipeline/steps/sent-cells.ts';
import type { AccountHistory } from '../report/account-history.ts';
import type { Printer } from '../report/printer.ts';
import { RowCache } from '../source/row-cache.ts';
import type { FoundAccount } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** The cells of everything that was sent, from the account's rows in an export. */
export async function sentData(
  { shell, printer, config }: { readonly shell: Shell; readonly printer: Printer; readonly config: Config },
  { entry }: Pick<FoundAccount, 'entry'>,
  { path, fixes }: { readonly path: string; readonly fixes: readonly string[] | undefined },
): Promise<NonNullable<AccountHistory['sent']> & { readonly plan: AccountPlan }> {
  const { account, supplier } = entry.key;
  const only = await RowCache.open(join(config.workDirectory, 'explained.json'), account);
  const tenancy = await readContract(config);
  const opened = await openPlansWith(shell, printer, path, {
    ...config,
    only,
    kept: keptIndexes(config),
    with: fixes,
    tenancy,
    spellings: (composed) => (composed === account.normalize('NFC') ? account : undefined),
  });
  const mapping = config.mapping === undefined ? undefined : relative(shell.cwd, config.mapping);
  try {
    for await (const plan of opened.plans) {
      if (plan.key.account !== account || (plan.key.supplier !== supplier && plan.key.supplier !== ''))
        continue;
      const cutting = cuttingOf(config);
      const cells = entry.parts.flatMap((part) => {
        const found = sentCells(plan, part, cutting, ({ file }) => file !== mapping);
        return found === undefined ? [] : [{ part, cells: found.map(({ cell }) => cell) }];
      });
      return {
        plan,
        place: plan.fix?.place ?? (await exportPlace(shell, { path, config })),
        parts: new Map(cells.map((one) => [one.part, one.cells])),
      };
    }
  } finally {
    opened.close();
  }
  throw new CannotStart(exitCodes.usage, `${path} has no account ${account} of ${supplier}.`);
}
