import { definedFields } from '../domain/defined-fields.ts';
import type { Unread } from '../contract/rules/guarded.ts';
import type { AccountKey } from '../domain/account-key.ts';
import type { Cell } from '../domain/cell.ts';
import { isJsonObject } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import { ofEachExtraStep, type ExtraStepName, type StepName } from '../domain/steps.ts';
import type { Bundle } from '../source/export.ts';
import { findInRowsWithoutPlace, type RowsPlan } from './nodes/rows.ts';
import {
  cellAt,
  isGap,
  startRun,
  type BuildFault,
  type Gap,
  type Node,
  type Run,
  type Scope,
} from './nodes/run.ts';
import type { Identification, SectionNode } from './nodes/section.ts';
import { spelled } from './nodes/spelled.ts';
import { LeftOutRows } from './nodes/left-out.ts';
import { findUnplacedRows } from './nodes/unplaced.ts';
import type { AccountPlan, BoundMapping } from './plan.ts';
import { accountsTable } from './spec.ts';

/** A mapping with every name resolved. */
export interface Program {
  readonly account: Node;
  /** The supplier of accounts whose data gives none; '' if nothing names one. */
  readonly supplier: string;
  readonly sections: ReadonlyMap<ExtraStepName, SectionNode>;
  /** The reader of each child table. */
  readonly rowsPlans: ReadonlyMap<string, readonly RowsPlan[]>;
}

const noExtras: AccountPlan['extras'] = ofEachExtraStep(() => []);

/** Builds the plan of one account after another; keeps nothing between them. */
export function planBuilder(program: Program): BoundMapping {
  const rowsPlans = [...program.rowsPlans.values()].flat().sort((one, other) => one.number - other.number);
  return (bundle) => {
    const scope = accountScope(startRun(bundle));
    if (scope === undefined) return emptyPlan(bundle, program.supplier);
    const { key, payload, extras } = build(program, scope);
    const { findings } = scope.run;
    const leftOut = new LeftOutRows(scope.run, program.rowsPlans);
    const isLeftOut = leftOut.has.bind(leftOut);
    findings.push(...findInRowsWithoutPlace(scope.run, rowsPlans, isLeftOut));
    const unplaced = findUnplacedRows(scope.run, program.rowsPlans, leftOut);
    const gaps = unplaced.size === 0 ? [] : gapsOf(program, bundle, unplaced);
    const problems = findings.flatMap((found) => (isGap(found) ? [] : [toProblem(bundle.account, found)]));
    const unread = unreadPlaces([...findings, ...gaps]);
    // The number of accounts whose values can still be traced.
    bundle.release();
    let tracing: Scope | undefined;
    return {
      key,
      payload,
      extras,
      problems: [...bundle.problems, ...problems],
      ignoredRows: scope.run.ignoredRows,
      isWhole: unread.size === 0,
      unread: (step, request) => (unread.size === 0 ? undefined : unread.get(placeName(step, request))),
      locate: (step, path, request = 0) => {
        tracing ??= accountScope(startRun(bundle));
        return tracing && locate(program, tracing, step, path, request);
      },
    };
  };
}

/** Builds every payload of an account. */
function build(program: Program, scope: Scope): Pick<AccountPlan, 'key' | 'payload' | 'extras'> {
  const { run } = scope;
  const built = program.account.build(scope);
  markStep(run, 0, 'validate');
  const payload = isJsonObject(built) ? spelled(built, run.bundle.account) : {};
  const ofSupplier = run.findings.filter(({ path }) => path === 'import_supplier' || path === '');
  const isInvalid = ofSupplier.some((found) => !isGap(found) && found.severity === 'error');
  const isUnknown = ofSupplier.some((found) => isGap(found) && !found.isList);
  const supplier = payload['import_supplier'];
  // A cell that the mapping cannot convert names no supplier, and the text in it is none.
  const isKnown = typeof supplier === 'string' && !isInvalid && !isUnknown;
  const key = {
    supplier: isKnown ? supplier : isUnknown ? program.supplier : '',
    account: run.bundle.account,
  };
  if (key.supplier === '' && !isInvalid && !isUnknown) run.findings.push(missingSupplier(program, scope));
  return { key, payload, extras: buildExtras(program, scope, key) };
}

/**
 * The arrays and values that rows of these tables would have filled, found by building everything again, which is
 * rare.
 */
function gapsOf(program: Program, bundle: Bundle, unplaced: ReadonlySet<string>): Gap[] {
  const scope = accountScope(startRun(bundle, new Set([...bundle.incomplete, ...unplaced])));
  if (scope === undefined) return [];
  build(program, scope);
  return scope.run.findings.filter(isGap);
}

/** The values that could not be read, by payload. */
function unreadPlaces(findings: readonly (BuildFault | Gap)[]): ReadonlyMap<string, Unread> {
  const places = new Map<string, { values: Set<string>; lists: Set<string> }>();
  for (const found of findings) {
    const { step, path, request = 0 } = found;
    if (step === undefined || (!isGap(found) && found.severity !== 'error')) continue;
    const name = placeName(step, request);
    const place = places.get(name) ?? { values: new Set(), lists: new Set() };
    places.set(name, place);
    (isGap(found) && found.isList ? place.lists : place.values).add(path);
  }
  return places;
}

function placeName(step: StepName, request: number): string {
  const isAccount = step === 'validate' || step === 'stage' || step === 'process';
  return isAccount ? 'account' : `${step} ${request}`;
}

function buildExtras(program: Program, scope: Scope, key: AccountKey): AccountPlan['extras'] {
  const identification: Identification = {
    import_supplier: key.supplier,
    external_account_number: key.account,
  };
  const extras = { ...noExtras };
  for (const [step, section] of program.sections) {
    const before = scope.run.findings.length;
    extras[step] = section.build(scope, identification);
    markStep(scope.run, before, step);
  }
  return extras;
}

/** Values are traced by building them again, on their own path only, so tracing costs nothing unless it is used. */
function locate(
  program: Program,
  scope: Scope,
  step: StepName,
  path: string,
  request: number,
): Cell | undefined {
  const names = path === '' ? [] : path.split('.');
  if (step === 'validate' || step === 'stage' || step === 'process')
    return program.account.locate(scope, names);
  const section = program.sections.get(step);
  if (section === undefined) return cellAt(scope.record, '');
  return section.locate(scope, request, names) ?? program.account.locate(scope, names);
}

function accountScope(run: Run): Scope | undefined {
  const record = run.bundle.records(accountsTable)[0];
  return record === undefined ? undefined : { run, record, position: 0 };
}

function markStep(run: Run, before: number, step: StepName): void {
  for (let at = before; at < run.findings.length; at++) {
    const finding = run.findings[at];
    if (finding !== undefined) finding.step = step;
  }
}

function missingSupplier(program: Program, scope: Scope): BuildFault {
  return {
    code: 'missing_import_supplier',
    path: 'import_supplier',
    detail:
      'Neither the data nor the mapping names the import supplier. Add it there, or name it with --supplier.',
    severity: 'error',
    cell: program.account.locate(scope, ['import_supplier']) ?? cellAt(scope.record, ''),
    step: 'validate',
  };
}

function toProblem(
  account: string,
  { code, path, detail, severity, step, cell, value }: BuildFault,
): Problem {
  return definedFields({
    account,
    code,
    path,
    detail,
    severity,
    step,
    cell,
    value,
  });
}

const nothingRead: Unread = { values: new Set(['']), lists: new Set() };

/** The plan of an account whose own record could not be read; its bundle has the reason. */
function emptyPlan({ account, problems }: Bundle, supplier: string): AccountPlan {
  return {
    key: { supplier, account },
    payload: {},
    extras: noExtras,
    problems,
    ignoredRows: 0,
    isWhole: false,
    unread: () => nothingRead,
    locate: () => undefined,
  };
}
