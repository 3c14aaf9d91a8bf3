import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { defaultRuleContext, ruleCodes } from '../../src/contract/preflight.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { preflight } from '../../src/pipeline/preflight.ts';
import type { ExportFault } from '../../src/source/export.ts';
import { openPlans } from './read-plans.ts';

interface PlantedFault {
  readonly account: string | null;
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: string;
  readonly severity?: 'warning';
}

const planted = JSON.parse(readFileSync('fixtures/faulty/faults.json', 'utf8')) as PlantedFault[];
const ofAccounts = new Map<string, Problem[]>();
let ofNoAccount: readonly ExportFault[] = [];

beforeAll(async () => {
  const { faults, plans } = await openPlans('fixtures/faulty/export');
  ofNoAccount = faults;
  for await (const plan of plans)
    ofAccounts.set(plan.key.account, preflight(plan, defaultRuleContext('2024-07-01')).filter(isNews));
});

it('finds every fault planted in the faulty export at its cell, and no other', () => {
  const found = [...ofNoAccount, ...[...ofAccounts.values()].flat()];
  expect(sorted(found.map(described))).toEqual(sorted(planted));
});

it('leaves most accounts of the faulty export whole', () => {
  expect(ofNoAccount.filter(({ holdsBack }) => holdsBack)).toEqual([]);
  const whole = [...ofAccounts.values()].filter((problems) => problems.every(isWarning));
  expect([ofAccounts.size, whole.length]).toEqual([64, 34]);
});

it('breaks every rule that an export in the flat shape can break', () => {
  const codes = new Set(planted.map(({ code }) => code));
  expect(ruleCodes.filter((code) => !codes.has(code))).toEqual([
    // The flat shape makes one payload for each ledger, each with its account's own number.
    'billing_documents_ledger_repeated',
    // Document paths are looked up where a directory is named.
    'document_path_escapes',
    'external_account_number_differs',
    // What the platform or its file store knows is known there.
    'ledger_code_does_not_exist',
    'operations_team_name_does_not_exist',
    'path_does_not_exist_in_file_store',
    // What only two accounts together break has a test of its own.
    'payment_reference_of_another_account',
    'product_code_does_not_exist',
    'statement_id_of_another_account',
    'supply_point_of_another_account',
    'transaction_id_of_another_account',
  ]);
});

/** Every generated account of two ledgers has a code that the interface does not show. */
function isNews({ code, path }: Problem): boolean {
  return code !== 'unknown_value' || !path.endsWith('ledger_code');
}

function isWarning({ severity }: Problem): boolean {
  return severity === 'warning';
}

function described({ account, code, severity, cell }: Problem): PlantedFault {
  const { file = '', line = 0, column = '' } = cell ?? {};
  return { account, code, file, line, column, ...(severity === 'warning' && { severity }) };
}

/** One entry for each cell: a value that stands in two places of a payload is one fault. */
function sorted(faults: readonly PlantedFault[]): string[] {
  return [...new Set(faults.map((fault) => JSON.stringify(fault)))].sort();
}
