import type { ContractRulesFlags } from '../commands/contract-rules.ts';
import type { ContractSchemaFlags } from '../commands/contract-schema.ts';
import type { Action } from './action.ts';
import { contractOption } from './contract-option.ts';
import { Usage } from './usage.ts';

export function contractUsage(action: Action): Usage {
  const contract = new Usage('contract')
    .description("Show what a tenancy's contract decides")
    .helpCommand(false);
  for (const usage of [schemaUsage, rulesUsage]) contract.addCommand(usage(action));
  return contract;
}

function schemaUsage({ shell, ended }: Action): Usage {
  return new Usage('schema')
    .description("Write a JSON Schema of mapping files with the contract's fields, for editors")
    .addOption(contractOption())
    .requiredOption('--out <file>', 'File for the schema')
    .option('--force', 'Overwrite a file of another kind')
    .example('migrate contract schema --contract tenancy.yaml --out mapping.schema.json')
    .action(async (flags: ContractSchemaFlags) => {
      const { contractSchemaCommand } = await import('../commands/contract-schema.ts');
      ended(await contractSchemaCommand(shell, flags));
    });
}

function rulesUsage({ shell, ended }: Action): Usage {
  return new Usage('rules')
    .description('List the rules: on or off under the contract and the settings, and why')
    .addOption(contractOption())
    .example('migrate contract rules --contract tenancy.yaml')
    .action(async (flags: ContractRulesFlags) => {
      const { contractRulesCommand } = await import('../commands/contract-rules.ts');
      ended(await contractRulesCommand(shell, flags));
    });
}
