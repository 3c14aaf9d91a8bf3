import { readFile } from 'node:fs/promises';
import type { Config } from '../config/load-config.ts';
import { defaultRuleContext } from '../contract/preflight.ts';
import type { RuleContext } from '../contract/rules/rule.ts';
import { ContractRefused } from '../contract/tenancy/contract-schema.ts';
import { readTenancyContract, type TenancyContract } from '../contract/tenancy/tenancy-contract.ts';
import { utcDate } from '../domain/clock.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * The rules that accounts are held to: those that the configuration turns off or down, by code, and the tenancy's own
 * contract. `now` is in ms since the epoch. Throws CannotStart where the contract cannot be used.
 */
export async function rulesInForce(
  { rules, contract }: Pick<Config, 'rules' | 'contract'>,
  now: number,
): Promise<RuleContext> {
  return {
    ...defaultRuleContext(utcDate(now)),
    levels: new Map(Object.entries(rules)),
    ...(contract === undefined ? {} : { contract: await contractIn(contract) }),
  };
}

async function contractIn(file: string): Promise<TenancyContract> {
  try {
    return readTenancyContract(await readFile(file, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'syscall' in error;
    if (!isMissing && !(error instanceof ContractRefused)) throw error;
    const why = isMissing ? 'it cannot be read. Check the path and its permissions.' : error.message;
    throw new CannotStart(exitCodes.usage, `The contract ${file} cannot be used: ${why}`);
  }
}
