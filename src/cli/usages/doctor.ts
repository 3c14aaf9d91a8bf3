import { Usage, type FlagsOf } from '../usage.ts';

export const doctorUsage = () =>
  new Usage('doctor')
    .description(
      'Check configuration, journal, clock, reachability and token, and say how to fix each problem',
    )
    .example('migrate doctor', 'migrate doctor --profile live')
    .example('migrate doctor --read-back', 'migrate doctor --schema tenancy.graphql')
    .example('migrate doctor --read-back --export ./export')
    .option('--supplier <code>', 'Ask the platform about this import supplier')
    .option(
      '--read-back',
      "Check the configured queries against the platform's schema, read one account, and compare it with what was sent",
    )
    .option('--export <path>', 'With --read-back: the export that the account was sent from')
    .option(
      '--schema <file>',
      'With --read-back, or in its place: check the queries against this GraphQL schema instead of asking for it',
    )
    .option('--confirm-address', 'Let secrets of the environment go to the configured addresses from now on');

export type DoctorFlags = FlagsOf<typeof doctorUsage>;
