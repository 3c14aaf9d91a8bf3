import type { AnyCommand } from '../commander.ts';
import type { ReconcileFlags } from '../commands/reconcile.ts';
import { contractOption, withOption } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function reconcileUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('reconcile')
    .description(
      'Compare export, journal and platform, and list every difference of accounts, numbers and money',
    )
    .example(
      'migrate reconcile --supplier TENTACLE_ENERGY ./export',
      'migrate reconcile --supplier TENTACLE_ENERGY --json > differences.ndjson',
    )
    .argument('[export]', 'Export directory, or one file; default: compare journal and platform only')
    .option('--supplier <code>', 'Import supplier; not needed if the journal has only one')
    .addOption(withOption)
    .option('--mapping <file>', 'Mapping file; not needed for the two built-in shapes')
    .addOption(contractOption)
    .action(async (path: string | undefined, flags: ReconcileFlags) => {
      const { reconcileCommand } = await import('../commands/reconcile.ts');
      ended(await reconcileCommand(shell, path, flags));
    });
}
