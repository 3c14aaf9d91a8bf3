import type { ReconcileFlags } from '../commands/reconcile.ts';
import type { Action } from './action.ts';
import { contractOption } from './contract-option.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function reconcileUsage({ shell, ended }: Action): Usage {
  return new Usage('reconcile')
    .description(
      'Compare export, journal and platform, and list every difference of accounts, numbers and money',
    )
    .argument('[export]', 'Export directory, or one file; default: compare journal and platform only')
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .addOption(withOption())
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(contractOption())
    .example(
      'migrate reconcile --supplier TENTACLE_ENERGY ./export',
      'migrate reconcile --supplier TENTACLE_ENERGY --json > differences.ndjson',
    )
    .action(async (path: string | undefined, flags: ReconcileFlags) => {
      const { reconcileCommand } = await import('../commands/reconcile.ts');
      ended(await reconcileCommand(shell, path, flags));
    });
}
