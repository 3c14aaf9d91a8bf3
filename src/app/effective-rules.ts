import { readFile } from 'node:fs/promises';
import type { Config } from '../config/load-config.ts';
import { defaultRuleContext } from '../contract/preflight.ts';
import type { RuleContext } from '../contract/rules/rule.ts';
import { ContractRefused } from '../contract/tenancy/contract-refused.ts';
import type { TenancyContract } from '../contract/tenancy/tenancy-contract.ts';
import { utcDate } from '../domain/clock.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import { documentDirectory } from './document-directory.ts';
import type { Environment } from './environment.ts';
import type { Reporter } from './reporter.ts';

/**
 * The rules for checking accounts: those that the configuration changes, by code; the tenancy's contract; and the
 * directory in which document paths are looked up. Warns about parts of the contract that are not checked. Throws
 * CannotStart if one of them cannot be used.
 */
export async function effectiveRules(
  environment: Pick<Environment, 'cwd'> & { readonly clock: Pick<Environment['clock'], 'now'> },
  reporter: Pick<Reporter, 'warn'>,
  { rules, contract }: Pick<Config, 'rules' | 'contract'>,
  documents?: string,
): Promise<RuleContext> {
  const levels = new Map(Object.entries(rules));
  return {
    ...defaultRuleContext(utcDate(environment.clock.now())),
    ...(documents === undefined ? {} : { documents: documentDirectory(environment, documents) }),
    ...(contract === undefined ? { levels } : await underContract(contract, reporter, levels)),
  };
}

async function underContract(
  file: string,
  reporter: Pick<Reporter, 'warn'>,
  levels: RuleContext['levels'],
): Promise<Pick<RuleContext, 'contract' | 'levels'>> {
  const contract = await readContract(file, reporter);
  const { levelsUnder } = await import('../contract/tenancy/contract-rules.ts');
  return { contract, levels: levelsUnder(contract, levels) };
}

/**
 * The tenancy's contract in a file; `reporter` is warned of what cannot be checked. Throws CannotStart if it cannot
 * be used.
 */
export async function readContract(
  file: string,
  reporter?: Pick<Reporter, 'warn'>,
): Promise<TenancyContract> {
  // Loaded on demand: the JSON Schema checker is slow to load, and few runs need it.
  const { readTenancyContract } = await import('../contract/tenancy/tenancy-contract.ts');
  try {
    const contract = readTenancyContract(await readFile(file, 'utf8'));
    const [first, ...others] = contract.unchecked;
    if (first !== undefined) reporter?.warn(uncheckedPatterns(file, first, others.length));
    return contract;
  } catch (error) {
    const isMissing = error instanceof Error && 'syscall' in error;
    if (!isMissing && !(error instanceof ContractRefused)) throw error;
    const why = isMissing ? 'it cannot be read. Check the path and its permissions.' : error.message;
    throw new CannotStart(exitCodes.usage, `The contract ${file} cannot be used: ${why}`);
  }
}

function uncheckedPatterns(file: string, place: string, others: number): string {
  const more = others === 0 ? '' : ` and at ${others} more ${others === 1 ? 'place' : 'places'}`;
  return (
    `The contract ${file} has a pattern at ${place}${more} that is not checked here: it is no regular expression, or has ` +
    'look-around, back-references or, as a part of it, a repetition beyond 1,000, with which a check might never end. ' +
    'The platform checks it. To check it here too, write it without.'
  );
}
