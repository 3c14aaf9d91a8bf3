import type { AnyCommand } from '../commander.ts';
import type { ContractRulesFlags } from '../commands/contract-rules.ts';
import type { ContractSchemaFlags } from '../commands/contract-schema.ts';
import { contractOption } from '../options.ts';
import { Usage, type Action } from '../usage.ts';

export function contractUsage(action: Action): AnyCommand {
  const contract = new Usage('contract')
    .description("Show what a tenancy's contract decides")
    .helpCommand(false);
  for (const usage of [schemaUsage, rulesUsage]) contract.addCommand(usage(action));
  return contract;
}

function schemaUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('schema')
    .description("Write a JSON Schema of mapping files with the contract's fields, for editors")
    .example('migrate contract schema --contract tenancy.yaml --out mapping.schema.json')
    .addOption(contractOption)
    .requiredOption('--out <file>', 'File for the schema')
    .option('--force', 'Overwrite a file of another kind')
    .action(async (flags: ContractSchemaFlags) => {
      const { contractSchemaCommand } = await import('../commands/contract-schema.ts');
      ended(await contractSchemaCommand(shell, flags));
    });
}

function rulesUsage({ shell, ended }: Action): AnyCommand {
  return new Usage('rules')
    .description('List the rules: on or off under the contract and the settings, and why')
    .example('migrate contract rules --contract tenancy.yaml')
    .addOption(contractOption)
    .action(async (flags: ContractRulesFlags) => {
      const { contractRulesCommand } = await import('../commands/contract-rules.ts');
      ended(await contractRulesCommand(shell, flags));
    });
}
