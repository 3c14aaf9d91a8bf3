import { port } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const dashboardUsage = () =>
  new Usage('dashboard')
    .description('Serve a read-only page with the state of the migration, updated live')
    .example('migrate dashboard --port 8080', 'migrate dashboard --host 0.0.0.0 --port 8080')
    .option('--port <n>', 'Port; 0 picks a free one', port, 0)
    .option(
      '--host <address>',
      'Address to listen on; other than loopback, readers need a token',
      '127.0.0.1',
    )
    .option('--supplier <code>', 'Only this import supplier');

export type DashboardFlags = FlagsOf<typeof dashboardUsage>;
