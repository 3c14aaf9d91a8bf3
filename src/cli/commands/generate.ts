import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames, extraSteps, isExtraStep, type StepName } from '../../domain/steps.ts';
import type { RecordFileName } from '../../generate/account.ts';
import type { RecordForm } from '../../generate/generate-export.ts';
import { counted } from '../../report/format.ts';
import { Option, type AnyCommand } from '../commander.ts';
import { contractOption, wholeNumber } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('generate')
    .description('Write a synthetic export with every field and step; the same seed gives the same export')
    .example('migrate generate ./export --accounts 1000 --seed 7 --shape flat')
    .argument('<dir>', 'A new or empty directory')
    .option('--accounts <n>', 'Number of accounts', wholeNumber(1), 50)
    .option('--seed <n>', 'Seed of the random data', wholeNumber(0), 1)
    .addOption(
      new Option('--shape <shape>', "The interface's own records, or flat CSV")
        .choices(['interface', 'flat'])
        .default('interface'),
    )
    .option(
      '--supplier <code>',
      'Import supplier of the accounts; default: the first of the contract, or TENTACLE_ENERGY',
    )
    .addOption(contractOption);

type Flags = FlagsOf<typeof usage>;

export function generateCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (directory, flags) => ended(await generate(shell, directory, flags)));
}

/** The step that sends the records of a file. */
function stepOf(file: RecordFileName): StepName {
  return extraStepNames.find((step) => extraSteps[step].section === file) ?? 'stage';
}

/** The file with the records that a step sends. */
function fileOf(step: StepName): RecordFileName {
  return isExtraStep(step) ? extraSteps[step].section : 'accounts';
}

async function formOf(contract: TenancyContract): Promise<RecordForm> {
  const { flatShapeUnder } = await import('../../mapping/flat-rows.ts');
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
async function generate(shell: Shell, directory: string, flags: Flags): Promise<ExitCode> {
  const { CannotGenerate, generateExport } = await import('../../generate/generate-export.ts');
  const { readContract } = await import('../../run/effective-rules.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
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
        tenancy: contract && (await formOf(contract)),
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
