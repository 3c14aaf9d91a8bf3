import { Command } from 'commander';
import type { DoctorFlags } from '../commands/doctor.ts';
import type { Action } from './action.ts';
import { example } from './example.ts';

export function doctorUsage({ shell, ended }: Action): Command {
  return new Command('doctor')
    .description('check configuration, journal, clock, reachability and token, each with its remedy')
    .option('--supplier <code>', 'ask the platform about this import supplier')
    .addHelpText('after', example('migrate doctor', 'migrate doctor --profile live'))
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      ended(await doctorCommand(shell, flags));
    });
}
