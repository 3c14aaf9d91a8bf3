import type { StatusFlags } from '../commands/status.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function statusUsage({ shell, ended }: Action): Usage {
  return new Usage('status')
    .description('Show progress from the journal and, with --remote, what the platform lists')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--account <number>', 'Only this account')
    .option('--remote', "Also ask the platform, and show its counts beside the journal's")
    .option('--watch', 'Update the display until an interrupt')
    .example('migrate status --supplier TENTACLE_ENERGY', 'migrate status --remote')
    .action(async (flags: StatusFlags) => {
      const { statusCommand } = await import('../commands/status.ts');
      ended(await statusCommand(shell, flags));
    });
}
