import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames, extraSteps, isExtraStep, type StepName } from '../../domain/steps.ts';
import type { RecordFileName } from '../../generate/account.ts';
import type { RecordForm } from '../../generate/generate-export.ts';
import { counted } from '../../report/format.ts';
import type { Shell } from '../shell.ts';
import { flatShapeUnder } from '../../mapping/flat-rows.ts';
import { CannotGenerate, generateExport } from '../../generate/generate-export.ts';
import { readContract } from '../../run/effective-rules.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import type { GenerateFlags } from '../usages/generate.ts';

/** The step that sends the records of a file. */
function stepOf(file: RecordFileName): StepName {
  return extraStepNames.find((step) => extraSteps[step].section === file) ?? 'stage';
}

/** The file with the records that a step sends. */
function fileOf(step: StepName): RecordFileName {
  return isExtraStep(step) ? extraSteps[step].section : 'accounts';
}

function formOf(contract: TenancyContract): RecordForm {
  const flat = flatShapeUnder(contract);
  return {
    has: (file) => contract.offers(stepOf(file)),
    fit: (file, record) => contract.fitted(stepOf(file), record) ?? record,
    flatFiles: flat.files,
    flatRows: (records) => flat.rows((step) => records(fileOf(step))),
  };
}

function firstSupplier(contract: TenancyContract | undefined): string | undefined {
  return contract?.at('stage', 'import_supplier')?.values?.find((value) => typeof value === 'string');
}

/** `migrate generate`: writes a synthetic export. */
export async function generate(shell: Shell, directory: string, flags: GenerateFlags): Promise<ExitCode> {
  return conclude(shell, 'generate', flags, async (printer) => {
    const { accounts, seed, shape } = flags;
    const config = await resolveSettings(shell, flags);
    const contract = await readContract(config, printer, { checks: false });
    const supplier = flags.supplier ?? firstSupplier(contract) ?? 'TENTACLE_ENERGY';
    printer.progress.begin(accounts, 'account');
    try {
      const generated = await generateExport({
        directory: resolve(shell.cwd, directory),
        accounts,
        seed,
        shape,
        supplier,
        tenancy: contract && formOf(contract),
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
