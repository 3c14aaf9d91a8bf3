import { contractOption } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const contractSchemaUsage = () =>
  new Usage('schema')
    .description("Write a JSON Schema of mapping files with the contract's fields, for editors")
    .example('migrate contract schema --contract tenancy.yaml --out mapping.schema.json')
    .addOption(contractOption)
    .requiredOption('--out <file>', 'File for the schema')
    .option('--force', 'Overwrite a file of another kind');

export type ContractSchemaFlags = FlagsOf<typeof contractSchemaUsage>;

export const contractRulesUsage = () =>
  new Usage('rules')
    .description('List the rules: on or off under the contract and the settings, and why')
    .example('migrate contract rules --contract tenancy.yaml')
    .addOption(contractOption);

export type ContractRulesFlags = FlagsOf<typeof contractRulesUsage>;
