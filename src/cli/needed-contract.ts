import type { TenancyContract } from '../contract/tenancy/tenancy-contract.ts';
import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from '../app/cannot-start.ts';
import { readContract } from '../app/effective-rules.ts';
import type { Reporter } from '../app/reporter.ts';

/** The tenancy's contract, for a command that needs it. Throws CannotStart if none is named, or it cannot be used. */
export async function neededContract(
  config: Pick<Config, 'contract' | 'strictContract'>,
  reporter: Pick<Reporter, 'warn'>,
): Promise<TenancyContract> {
  const contract = await readContract(config, reporter, { checks: false });
  if (contract !== undefined) return contract;
  throw new CannotStart(
    exitCodes.usage,
    'No contract is named. Name one by --contract, or as contract in .migraterc.',
  );
}
