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
