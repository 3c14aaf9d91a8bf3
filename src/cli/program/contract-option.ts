import { Option } from 'commander';

/** `--contract FILE`. */
export function contractOption(): Option {
  return new Option('--contract <file>', "The tenancy's OpenAPI document, which decides what payloads are");
}
