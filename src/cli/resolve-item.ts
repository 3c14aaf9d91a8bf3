import type { Config } from '../config/load-config.ts';
import { heldAs } from '../domain/added-step.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { Journal } from '../journal/journal.ts';
import { holdingSupplier } from './holding-supplier.ts';
import { recordedPlatforms } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** The rulings on an item: there is no account that could be somebody else's. */
export const itemRulings = ['done', 'repeat'] as const;

/** What became of a list. `left`: names of it of which the journal has no item that is not done. */
export interface RuledItems {
  readonly items: number;
  readonly left: readonly string[];
}

/**
 * Records one ruling on all items of a list, each by its name or, without its import supplier, by what identifies it there; while no
 * run sends items. `supplier`: only its items.
 */
export async function resolveItems(
  ports: { readonly shell: Shell; readonly config: Config; readonly journal: Journal },
  { step, list }: { readonly step: string; readonly list: ReadonlySet<string> },
  as: (typeof itemRulings)[number],
): Promise<RuledItems> {
  const { shell, config, journal } = ports;
  const left = new Set(list);
  let items = 0;
  const platforms = (await recordedPlatforms(journal, config)).map(({ platform }) => platform);
  const open: { readonly platform: string; readonly item: string; readonly name: string }[] = [];
  for (const platform of platforms)
    for await (const { item } of journal.items.unfinished(platform, step)) {
      const name = [item, item.slice(item.indexOf('/') + 1)].find((one) => list.has(one));
      if (name !== undefined && isOf(item, config.supplier)) open.push({ platform, item, name });
    }
  refuseNamesakes(open.map(({ name }) => name));
  for (const platform of platforms.filter((one) => open.some((item) => item.platform === one)))
    await holdingSupplier(ports, { platform, supplier: heldAs }, async () => {
      for (const { item, name } of open.filter((one) => one.platform === platform)) {
        const ref = { platform, step, item };
        if (!(await journal.items.rule(ref, as === 'done' ? 'done' : 'failed', shell.clock.now()))) continue;
        items += 1;
        left.delete(name);
      }
    });
  return { items, left: [...left] };
}

/** Throws CannotStart if a name of the list is that of several items: a ruling on one is none on the other. */
function refuseNamesakes(names: readonly string[]): void {
  const met = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) (met.has(name) ? twice : met).add(name);
  const [first] = twice;
  if (first === undefined) return;
  throw new CannotStart(
    exitCodes.usage,
    `${twice.size === 1 ? 'A name' : `${twice.size} names`} of the list fit${twice.size === 1 ? 's' : ''} items of several import suppliers or platforms (${first}). ` +
      'Write SUPPLIER/NAME, or choose with --supplier and --profile. Nothing was recorded.',
  );
}

function isOf(item: string, supplier: string | undefined): boolean {
  return supplier === undefined || !item.includes('/') || item.startsWith(`${supplier}/`);
}

/**
 * Records a person's ruling on an item of a step that the profile adds, while no run sends items. Throws CannotStart if the journal
 * has no such item, or it is done.
 */
export async function resolveItem(
  ports: { readonly shell: Shell; readonly config: Config; readonly journal: Journal },
  { step, item }: { readonly step: string; readonly item: string },
  as: (typeof itemRulings)[number],
): Promise<void> {
  const { shell, config, journal } = ports;
  for (const { platform } of await recordedPlatforms(journal, config)) {
    const ref = { platform, step, item };
    const isRuled = await holdingSupplier(ports, { platform, supplier: heldAs }, () =>
      journal.items.rule(ref, as === 'done' ? 'done' : 'failed', shell.clock.now()),
    );
    if (isRuled) return;
  }
  throw new CannotStart(
    exitCodes.usage,
    `The journal has no item ${item} of ${step} that is not done. \`migrate status\` shows those that are not.`,
  );
}
