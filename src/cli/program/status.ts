import type { StatusFlags } from '../commands/status.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function statusUsage({ shell, ended }: Action): Usage {
  return new Usage('status')
    .description('progress from the journal and, with --remote, what the platform lists')
    .option('--supplier <code>', 'this import supplier alone')
    .option('--account <number>', 'one account')
    .option('--remote', "ask the platform too, and show its counts beside the journal's")
    .option('--watch', 'show it again and again until an interrupt')
    .example('migrate status --supplier TENTACLE_ENERGY', 'migrate status --remote')
    .action(async (flags: StatusFlags) => {
      const { statusCommand } = await import('../commands/status.ts');
      ended(await statusCommand(shell, flags));
    });
}
