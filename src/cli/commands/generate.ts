import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import type { ContractField } from '../../contract/tenancy/contract-field.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { publishedSteps } from '../../domain/added-step.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { extraStepNames, extraSteps, isExtraStep, type StepName } from '../../domain/steps.ts';
import type { RecordFileName } from '../../generate/account.ts';
import type { ItemForm, RecordForm } from '../../generate/generate-export.ts';
import { itemFiles, type ItemFileName } from '../../generate/businesses.ts';
import { counted } from '../../report/format.ts';
import type { Shell } from '../shell.ts';
import { flatShapeUnder } from '../../mapping/flat-rows.ts';
import { flatItemShape } from '../../mapping/item-mapping.ts';
import { flatFiles } from '../../run/reading/item-source.ts';
import { CannotGenerate, generateExport } from '../../generate/generate-export.ts';
import { readContract } from '../../run/effective-rules.ts';
import { requireName } from '../../run/session/output-files.ts';
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
    ...itemForms(contract),
  };
}

/** Businesses and their payment instructions, where the contract has them and accounts may name contracts of them. */
function itemForms(contract: TenancyContract): Pick<RecordForm, 'items' | 'withContract'> {
  const [{ named } = {}] = publishedSteps;
  const path = pathTo(contract.field('stage'), named?.account ?? '');
  const taken = flatFiles(['accounts.csv'], contract);
  const items = new Map<ItemFileName, ItemForm>();
  for (const step of path === undefined ? [] : publishedSteps) {
    const request = contract.added(step.path);
    const file = itemFiles.find((name) => name === step.table);
    if (request === undefined || file === undefined) continue;
    const shape = flatItemShape(step, request.field, taken);
    items.set(file, {
      identity: step.identity,
      fit: (item) => request.fitted(item),
      flatFiles: shape.files,
      flatRows: (item) => shape.rows(item),
    });
  }
  return {
    items,
    withContract: (account, identifier) => within(account, path ?? [], [identifier]),
  };
}

/** The way to a field of this name that has a list, through at most `deepest` objects. */
function pathTo(field: ContractField | undefined, name: string, deepest = 3): readonly string[] | undefined {
  if (deepest < 0) return undefined;
  for (const [own, inner] of field?.fields ?? []) {
    if (own === name && inner.element !== undefined) return [own];
    const rest = inner.element === undefined ? pathTo(inner, name, deepest - 1) : undefined;
    if (rest !== undefined) return [own, ...rest];
  }
  return undefined;
}

function within(record: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  const held = record[name];
  return {
    ...record,
    [name]: rest.length === 0 ? value : within(isJsonObject(held) ? held : {}, rest, value),
  };
}

/** The suppliers that the contract lists; undefined: it takes any. */
function listedSuppliers(contract: TenancyContract | undefined): readonly string[] | undefined {
  return contract?.at('stage', 'import_supplier')?.values?.filter((value) => typeof value === 'string');
}

/** The supplier of the accounts. Throws CannotStart if the contract does not list it. */
function supplierOf(asked: string | undefined, contract: TenancyContract | undefined): string {
  const listed = listedSuppliers(contract) ?? [];
  const [first = 'TENTACLE_ENERGY'] = listed;
  if (asked === undefined || listed.length === 0 || listed.includes(asked)) return asked ?? first;
  const detail = `The contract does not list the import supplier ${asked}. It lists: ${listed.join(', ')}. Correct --supplier, or supplier in the configuration.`;
  throw new CannotStart(exitCodes.usage, detail);
}

/** `migrate generate`: writes a synthetic export. */
export async function generate(shell: Shell, directory: string, flags: GenerateFlags): Promise<ExitCode> {
  return conclude(shell, 'generate', flags, async (printer) => {
    const { accounts, seed, shape } = flags;
    requireName('<dir>', directory);
    const config = await resolveSettings(shell, flags);
    const contract = await readContract(config, printer, { checks: false });
    const supplier = supplierOf(flags.supplier ?? config.supplier, contract);
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
