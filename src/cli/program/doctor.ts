import type { AnyCommand } from '../commander.ts';
import type { DoctorFlags } from '../commands/doctor.ts';
import { Usage, type Action } from '../usage.ts';

export function doctorUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('doctor')
    .description('Check configuration, journal, clock, reachability and token, and show how to fix each')
    .example('migrate doctor', 'migrate doctor --profile live')
    .option('--supplier <code>', 'Ask the platform about this import supplier')
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      ended(await doctorCommand(shell, flags));
    });
}
