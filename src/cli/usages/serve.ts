import { Option } from '../commander.ts';
import { contractOption, port, strictContractOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const serveUsage = () =>
  new Usage('serve')
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
    .option(
      '--extended',
      'Also offer what only published contracts have: scheduled import (v2) and registration',
    )
    .option('--control', "Open the operator's endpoints, to change settings while it runs")
    .option('--log <file>', 'Append a line for each request to this file, without customer data')
    .addOption(new Option('--steps <json>', 'Steps of the profile').hideHelp())
    .addOption(new Option('--attached', 'End when standard input ends').hideHelp());

export type ServeFlags = FlagsOf<typeof serveUsage>;
