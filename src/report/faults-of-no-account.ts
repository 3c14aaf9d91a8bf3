import { counted } from './format.ts';

/**
 * For people: how many faults of an export belong to no account (null: some), `where` they are named, and what they do to runs.
 */
export function faultsOfNoAccount(faults: number | null, where: string): string {
  const [belong, they] = faults === 1 ? ['belongs', 'it is'] : ['belong', 'they are'];
  const many = faults === null ? 'Faults' : counted(faults, 'fault');
  return `${many} of the export ${belong} to no account, such as a row without its account: ${where}. Until ${they} fixed, a run that takes all accounts ends with exit code 3 at best.`;
}
