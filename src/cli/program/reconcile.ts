import type { ReconcileFlags } from '../commands/reconcile.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';
import { withOption } from './with-option.ts';

export function reconcileUsage({ shell, ended }: Action): Usage {
  return new Usage('reconcile')
    .description('compare export, journal and platform: accounts, numbers and money, every difference listed')
    .argument('[export]', 'export directory, or one file; absent: journal and platform alone')
    .option('--supplier <code>', 'the import supplier; not needed where the journal has one alone')
    .addOption(withOption())
    .option('--mapping <file>', 'mapping file; not needed for the two built-in shapes')
    .example(
      'migrate reconcile --supplier TENTACLE_ENERGY ./export',
      'migrate reconcile --supplier TENTACLE_ENERGY --json > differences.ndjson',
    )
    .action(async (path: string | undefined, flags: ReconcileFlags) => {
      const { reconcileCommand } = await import('../commands/reconcile.ts');
      ended(await reconcileCommand(shell, path, flags));
    });
}
