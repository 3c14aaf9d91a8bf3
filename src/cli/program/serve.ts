import { Option } from 'commander';
import type { ServeFlags } from '../commands/serve.ts';
import { port } from '../flag-values.ts';
import type { Action } from './action.ts';
import { Usage } from './usage.ts';

export function serveUsage({ shell, ended }: Action): Usage {
  return new Usage('serve')
    .description('the embedded platform on a port of this machine, for rehearsals')
    .option('--port <n>', '0 picks a free one', port, 0)
    .option('--state <file>', 'where it keeps its state; in memory where this is not given')
    .option('--operator <file>', 'operator file: suppliers, teams, faults and the rest')
    .option('--set <key=value...>', 'one decision of the operator, over the file')
    .option('--control', "open the operator's own endpoints, to change decisions while it runs")
    .option('--log <file>', 'add a line to this file for each request, without customer data')
    .addOption(new Option('--attached', 'end when standard input ends').hideHelp())
    .example(
      'migrate serve --port 4010 --state platform.db --operator operator.yaml',
      'migrate serve --set suppliers.TENTACLE_ENERGY.status=Paused --control',
    )
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('../commands/serve.ts');
      ended(await serveCommand(shell, flags));
    });
}
