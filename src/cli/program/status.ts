import type { StatusFlags } from '../commands/status.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function statusUsage({ shell, ended }: Action): Usage {
  return new Usage('status')
    .description('progress from the journal')
    .option('--supplier <code>', 'this import supplier alone')
    .option('--account <number>', 'one account')
    .example('migrate status --supplier TENTACLE_ENERGY')
    .action(async (flags: StatusFlags) => {
      const { statusCommand } = await import('../commands/status.ts');
      ended(await statusCommand(shell, flags));
    });
}
