import { Option } from 'commander';
import { RepeatableOption } from '../repeatable-option.ts';

/** `--contract FILE`, once or several times. */
export function contractOption(): Option {
  return new RepeatableOption(
    '--contract <file>',
    "The tenancy's OpenAPI document, which decides what payloads are; repeatable",
  );
}

/** `--strict-contract`. */
export function strictContractOption(): Option {
  return new Option('--strict-contract', 'Also refuse what the contract leaves open (docs/tenancies.md)');
}
