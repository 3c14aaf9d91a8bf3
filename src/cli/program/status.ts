import type { AnyCommand } from '../commander.ts';
import type { StatusFlags } from '../commands/status.ts';
import { Usage, type Action } from '../usage.ts';

export function statusUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('status')
    .description('Show progress from the journal and, with --remote, what the platform lists')
    .example('migrate status --supplier TENTACLE_ENERGY', 'migrate status --remote')
    .option('--supplier <code>', 'Only this import supplier')
    .option('--account <number>', 'Only this account')
    .option('--remote', "Also ask the platform, and show its counts beside the journal's")
    .option('--watch', 'Update the display until an interrupt')
    .action(async (flags: StatusFlags) => {
      const { statusCommand } = await import('../commands/status.ts');
      ended(await statusCommand(shell, flags));
    });
}
