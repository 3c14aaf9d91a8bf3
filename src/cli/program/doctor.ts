import type { DoctorFlags } from '../commands/doctor.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function doctorUsage({ shell, ended }: Action): Usage {
  return new Usage('doctor')
    .description('Check configuration, journal, clock, reachability and token, and show how to fix each')
    .option('--supplier <code>', 'Ask the platform about this import supplier')
    .example('migrate doctor', 'migrate doctor --profile live')
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      ended(await doctorCommand(shell, flags));
    });
}
