import { resolve } from 'node:path';
import type { TenancyContract } from '../../contract/tenancy/tenancy-contract.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { recordFiles } from '../../generate/account.ts';
import { CannotGenerate, generateExport, type RecordForm } from '../../generate/generate-export.ts';
import { counted } from '../../report/format.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { readContract } from '../../app/effective-rules.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import type { Shell } from '../shell.ts';

export interface GenerateFlags extends CommonFlags {
  readonly accounts: number;
  readonly seed: number;
  readonly shape: 'interface' | 'flat';
  readonly supplier?: string;
  readonly contract?: readonly string[];
}

const stepOf = {
  accounts: 'stage',
  notes: 'notes',
  transactions: 'transactions',
  historical_agreements: 'agreements',
  historical_billing_documents: 'billing-documents',
  historical_statements: 'statements',
  payment_instructions: 'payment-instruction',
} as const satisfies Record<(typeof recordFiles)[number], StepName>;

function formOf(contract: TenancyContract): RecordForm {
  return {
    has: (file) => contract.offers(stepOf[file]),
    fit: (file, record) => contract.fitted(stepOf[file], record) ?? record,
  };
}

function firstSupplier(contract: TenancyContract | undefined): string | undefined {
  return contract?.at('stage', 'import_supplier')?.values?.find((value) => typeof value === 'string');
}

/** `migrate generate`: writes a synthetic export. */
export function generateCommand(shell: Shell, directory: string, flags: GenerateFlags): Promise<ExitCode> {
  return conclude(shell, 'generate', flags, async (printer) => {
    const { accounts, seed, shape } = flags;
    const files = flags.contract?.map((file) => resolve(shell.cwd, file)) ?? [];
    const contract = await readContract({ contract: files }, printer, { checks: false });
    if (contract !== undefined && shape === 'flat')
      throw new CannotStart(exitCodes.usage, '--contract generates records alone. Leave out --shape flat.');
    const supplier = flags.supplier ?? firstSupplier(contract) ?? 'TENTACLE_ENERGY';
    printer.progress.begin(accounts, 'account');
    try {
      const generated = await generateExport({
        directory: resolve(shell.cwd, directory),
        accounts,
        seed,
        shape,
        supplier,
        ...(contract === undefined ? {} : { tenancy: formOf(contract) }),
        onAccount: () => printer.progress.advance(1),
      });
      return {
        exit: exitCodes.done,
        summary: { ...generated, directory, seed, shape },
        text: () =>
          `${counted(accounts, 'account')} in ${counted(generated.files.length, 'file')}: ${directory}`,
      };
    } catch (error) {
      if (error instanceof CannotGenerate) throw new CannotStart(exitCodes.usage, error.message);
      throw error;
    }
  });
}
