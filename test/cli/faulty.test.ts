import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleCodes } from '../../src/contract/rule-codes.ts';
import { ranHere } from './own-shell.ts';
import { lines, project, summaryOf, workspace } from './tool.ts';

interface PlantedFault {
  readonly account: string | null;
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: string;
  readonly severity?: 'warning';
}

const planted = (file: string) =>
  JSON.parse(readFileSync(project(`fixtures/faulty/${file}`), 'utf8')) as PlantedFault[];
const inExport = planted('faults.json');
const inRecords = planted('records-faults.json');

/** What the shape of a payload may have wrong, by the interface and by a tenancy's contract. */
const shapeCodes = [
  ...['required', 'null', 'blank', 'unknown_field', 'invalid', 'invalid_choice', 'invalid_country'],
  ...['invalid_date', 'invalid_datetime', 'invalid_amount', 'max_length'],
  ...['min_length', 'invalid_pattern', 'invalid_format', 'max_items', 'min_items'],
];

describe('the faulty exports', () => {
  let space: ReturnType<typeof workspace>;
  const found = new Map<string, { readonly faults: PlantedFault[]; readonly summary: object }>();
  const validate = async (...args: string[]) => {
    const { stdout } = await ranHere(['validate', ...args, '--json'], space.directory);
    const faults = lines(stdout).flatMap(({ type, account, code, file, line, column, severity }) =>
      type === 'problem'
        ? [{ account, code, file, line, column, ...(severity === 'warning' && { severity }) } as PlantedFault]
        : [],
    );
    return { faults, summary: summaryOf(stdout) };
  };
  beforeAll(async () => {
    space = workspace();
    const beside = (name: string) => project(`fixtures/faulty/${name}`);
    const with_ = ['--contract', beside('contract.yaml'), '--documents', beside('documents')];
    found.set('export', await validate(beside('export')));
    found.set('records', await validate(beside('records'), ...with_));
  });
  afterAll(() => space.dispose());

  it.each([
    ['export', inExport],
    ['records', inRecords],
  ])(
    'have every fault found that is planted in %s, at its cell and in one pass, and no other',
    (name, faults) => {
      expect(sorted(found.get(name)?.faults ?? [])).toEqual(sorted(faults));
    },
  );

  it('leave the accounts whole that nothing was planted in', () => {
    expect(found.get('export')?.summary).toMatchObject({ accounts: 64, valid: 34 });
    expect(found.get('records')?.summary).toMatchObject({ accounts: 7, valid: 1 });
  });

  it('are shown in the README with the problems that they have', async () => {
    const [, shown = ''] =
      /^\$ npx migrate validate fixtures\/faulty\/export\n([^]*?)^```/m.exec(
        readFileSync(project('README.md'), 'utf8'),
      ) ?? [];
    const { stdout } = await ranHere(['validate', project('fixtures/faulty/export')], space.directory);
    const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
    const parts = shown.split(/^ *\.\.\.$/m).map(oneLine);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(oneLine(stdout), 'Correct the tour in README.md.').toContain(part);
  });

  it('have a fault for every code that checking an export can give', () => {
    const codes = new Set([...inExport, ...inRecords].map(({ code }) => code));
    const remedy =
      'Put a fault of the code into fixtures/faulty/export or records, and list it in faults.json or ' +
      'records-faults.json and in the README.md beside them. If no export can have one, list the code below.';
    expect(
      [...ruleCodes, ...shapeCodes].filter((code) => !codes.has(code)),
      remedy,
    ).toEqual([
      // Rows are brought together by the account's number, so none comes with another one.
      'external_account_number_differs',
      // Which codes a platform has is known there alone.
      'ledger_code_does_not_exist',
      'operations_team_name_does_not_exist',
      'product_code_does_not_exist',
      // Without a mapping file every row has its part.
      'row_not_mapped',
      // It is an account by itself, which would be one more in every figure of the guides.
      'total_row',
    ]);
  });
});

/** One entry for each cell: a value that stands in two places of a payload is one fault. */
function sorted(faults: readonly PlantedFault[]): string[] {
  return [...new Set(faults.map((fault) => JSON.stringify(fault)))].sort();
}
