import { Usage, type FlagsOf } from '../usage.ts';

export const doctorUsage = () =>
  new Usage('doctor')
    .description(
      'Check configuration, journal, clock, reachability and token, and say how to fix each problem',
    )
    .example('migrate doctor', 'migrate doctor --profile live')
    .example('migrate doctor --read-back')
    .option('--supplier <code>', 'Ask the platform about this import supplier')
    .option('--read-back', "Check the configured queries against the platform's schema, and read one account")
    .option('--confirm-address', 'Let secrets of the environment go to the configured addresses from now on');

export type DoctorFlags = FlagsOf<typeof doctorUsage>;
