import type { ChangeCause } from '../../domain/change-cause.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { changedAfterImport, noLongerInExport } from '../../domain/shared-codes.ts';
import type { AccountEntry, PartEntry } from '../../journal/journal.ts';
import { differentTables, type MappingPrint } from '../mapping-print.ts';
import type { ReadyPlan } from './ready-plan.ts';

/** undefined if it is not certain. */
export function changeCause(
  { sentFrom, parts }: Pick<AccountEntry, 'sentFrom'> & { readonly parts: readonly PartEntry[] },
  { rows }: Pick<ReadyPlan, 'rows'>,
  mapping: MappingPrint | undefined,
): ChangeCause | undefined {
  if (sentFrom === undefined || rows === undefined || mapping === undefined) return undefined;
  const isSameMapping = sentFrom.mapping === rows.mapping;
  if (sentFrom.print !== rows.print) return isSameMapping ? { by: 'export' } : undefined;
  if (isSameMapping) return undefined;
  const files = differentTables(sentFrom.mapping, rows.mapping, mapping.codeTables);
  const since = parts.find(({ step }) => step === 'process')?.run;
  return files === undefined || since === undefined ? { by: 'mapping' } : { by: 'codes', files, since };
}

/** The problem in the words of its cause, if it is about data that changed after the import. */
export function namingCause<Told extends PayloadProblem>(
  problem: Told,
  cause: ChangeCause | undefined,
): Told {
  if (problem.code === changedAfterImport) return { ...problem, detail: changedDetail(problem.path, cause) };
  if (problem.code === noLongerInExport) return { ...problem, detail: leftDetail(cause) };
  return problem;
}

/** Says of what the platform has in another form why it differs, and the remedy. */
export function changedDetail(path: string, cause: ChangeCause | undefined): string {
  const what = path === '' ? 'Data that starts here' : 'This';
  const remedy = 'Correct it on the platform, or restore';
  switch (cause?.by) {
    case 'export':
      return `${what} changed in the export after its account was imported. ${remedy} ${path === '' ? 'the export' : 'it in the export'}.`;
    case 'codes':
      return `${what} is mapped differently, because ${joined(cause.files)} changed after the account was imported. ${remedy} ${joined(cause.files)}.`;
    case 'mapping':
      return `${what} is mapped differently, because the mapping, the contract, a setting or the tool's version changed after the account was imported. ${remedy} what changed.`;
    case undefined:
      return `${what} differs from what was sent, because the export, the mapping or a code table changed after the account was imported. ${remedy} what changed.`;
  }
}

/** The same of a record that the platform has, and the export does not. */
export function leftDetail(cause: ChangeCause | undefined): string {
  return `${whyLeft(cause)} ${leftRemedy}`;
}

function whyLeft(cause: ChangeCause | undefined): string {
  switch (cause?.by) {
    case 'export':
      return 'A record that was sent has left the export, or changed in it, and the platform still has it.';
    case 'codes':
      return `A record that was sent is mapped differently, because ${joined(cause.files)} changed, and the platform still has it as it was sent.`;
    case 'mapping':
      return 'A record that was sent is mapped differently, because the mapping, the contract or a setting changed, and the platform still has it as it was sent.';
    case undefined:
      return 'A record that was sent is not there as it was sent, because the export, the mapping or a code table changed, and the platform still has it.';
  }
}

function joined(files: readonly string[]): string {
  return files.join(' and ');
}

const leftRemedy =
  'Correct the platform if the record must be removed or changed. The other records of its kind, or those of the account, start at this cell.';
