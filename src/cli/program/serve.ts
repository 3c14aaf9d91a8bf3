import { Option, type AnyCommand } from '../commander.ts';
import type { ServeFlags } from '../commands/serve.ts';
import { contractOption, port, strictContractOption } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function serveUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('serve')
    .description('Start the embedded platform on a port of this machine, for rehearsals')
    .example(
      'migrate serve --port 4010 --state platform.db --operator operator.yaml',
      'migrate serve --set suppliers.TENTACLE_ENERGY.status=Paused --control',
    )
    .option('--port <n>', 'Port; 0 picks a free one', port, 0)
    .option('--state <file>', 'File for the state; default: in memory')
    .option('--operator <file>', 'Operator file: suppliers, teams, faults and other settings')
    .option('--set <key=value...>', 'Setting of the operator; overrides the file')
    .addOption(contractOption)
    .addOption(strictContractOption)
    .option('--control', "Open the operator's endpoints, to change settings while it runs")
    .option('--log <file>', 'Append a line for each request to this file, without customer data')
    .addOption(new Option('--attached', 'End when standard input ends').hideHelp())
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('../commands/serve.ts');
      ended(await serveCommand(shell, flags));
    });
}
