import { expect, it } from 'vitest';
import type { CodeTablePrint, ExportFacts, FileCount } from '../../../src/domain/run-facts.ts';
import type { TypedOption } from '../../../src/domain/typed-options.ts';
import type { RunEntry } from '../../../src/journal/journal.ts';
import { differences, isKnown, shrunk } from '../../../src/report/last-run/compare-runs.ts';
import { differencesText, shrinkageText } from '../../../src/report/last-run/differences-text.ts';

const nothing: ExportFacts = {
  ...{ place: '/book', accounts: 100, files: [], sample: [], settings: {} },
  ...{ mapping: [], codeTables: [], contract: [] },
};

function runOf(given: Partial<ExportFacts>): RunEntry {
  return {
    ...{ id: 1, platform: 'p', platformLabel: 'p', dryRun: false, export: '/book', startedAt: 0 },
    facts: { rehearsal: false, unattended: true, given: { ...nothing, ...given } },
  };
}

/** What an unattended run says of what shrank by more than 5 %; '' if it is not stopped. */
function refusal(before: Partial<ExportFacts>, now: Partial<ExportFacts>): string {
  const [since, { facts }] = [runOf(before), runOf(now)];
  if (!isKnown(since) || facts === undefined) throw new Error('a run without facts');
  const started = { platformLabel: 'p', facts: { ...facts, given: { ...nothing, ...now } }, version: '1' };
  const lost = shrunk(differences(started, since), since.facts.given, 5);
  return lost.length === 0 ? '' : shrinkageText(since, lost, 5);
}

const calls = (rows: number, orphans?: number): FileCount => ({
  table: 'calls',
  file: 'CALLS.csv',
  rows,
  orphans,
});
const codes = (rows: number, file = 'codes.csv'): CodeTablePrint => ({ file, print: String(rows), rows });

it('a file of another supplier is one whose rows belong to nobody, though it has as many', () => {
  expect(refusal({ files: [calls(1000, 0)] }, { files: [calls(990, 990)] })).toMatch(
    /CALLS\.csv has 0 of 1,000 rows that belong to its accounts.*file of another supplier/,
  );
});

it('rows of no account say nothing where they were not counted, or where the accounts have left', () => {
  // A journal of an earlier version has no count of them.
  expect(refusal({ files: [calls(1000)] }, { files: [calls(1000, 400)] })).toBe('');
  expect(refusal({ files: [calls(1000, 400)] }, { files: [calls(1000)] })).toBe('');
  const left = { accounts: 97, files: [calls(1000, 60)] };
  expect(refusal({ files: [calls(1000, 0)] }, left)).toBe('');
});

it('a file that was cut short is told as that, and not as the file of another supplier', () => {
  expect(refusal({ files: [calls(1000, 0)] }, { files: [calls(500, 0)] })).toMatch(
    /CALLS\.csv has 500 of 1,000 rows \(-50 %\)\. It may have been cut short\./,
  );
  expect(refusal({ files: [calls(1000, 0)] }, { accounts: 50, files: [calls(1000, 500)] })).not.toContain(
    'another supplier',
  );
});

it('a code table is compared by a name that only one has, beyond a single row, while the mapping is the same', () => {
  expect(refusal({ codeTables: [codes(100)] }, { codeTables: [codes(60)] })).toContain(
    'the code table codes.csv has 60 of 100 rows',
  );
  const two = { codeTables: [codes(5), codes(100)] };
  expect(refusal(two, two)).toBe('');
  expect(refusal({ codeTables: [codes(4)] }, { codeTables: [codes(3)] })).toBe('');
  expect(refusal({ codeTables: [codes(4)] }, { codeTables: [codes(2)] })).toContain('2 of 4 rows');
  const mapped = { mapping: [{ file: 'mapping.yaml', print: 'b' }] };
  expect(refusal({ codeTables: [codes(100)] }, { ...mapped, codeTables: [codes(60)] })).toBe('');
});

it('names options that differ, and not the supplier that one of the two runs alone has chosen', () => {
  const since = runOf({ settings: { team: 'a' } });
  const now = runOf({ settings: { team: 'a', supplier: 'b' } });
  const textOf = (before: readonly TypedOption[] | undefined, typed: readonly TypedOption[]): string => {
    const [earlier, { facts }] = [{ ...since, facts: { ...since.facts!, typed: before } }, now];
    if (!isKnown(earlier) || facts?.given === undefined) throw new Error('a run without facts');
    const started = { platformLabel: 'p', facts: { ...facts, given: facts.given, typed }, version: '1' };
    return differencesText(differences(started, earlier), 'Europe/London').join('');
  };
  const fixes = [{ name: 'with', value: 'fixes' }];
  expect(textOf([], [])).toBe('');
  expect(textOf(undefined, fixes)).toBe('');
  expect(textOf([], fixes)).toBe(
    'Different from run 1 (1970-01-01 01:00:00 Europe/London): --with fixes (it was not given).',
  );
  expect(textOf(fixes, [])).toContain('no --with (it was --with fixes)');
});
