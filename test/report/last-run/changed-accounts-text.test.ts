import { expect, it } from 'vitest';
import { changedAccountsText } from '../../../src/report/last-run/changed-accounts-text.ts';

const found = {
  compared: 300,
  changed: 78,
  places: new Map([
    ['A.csv T', 78],
    ['notes.csv', 2],
  ]),
};

it('names the places that changed, and what maps the accounts where that changed too', () => {
  const told = changedAccountsText(found, 10, ['the code table tariffs.csv']);
  expect(told).toContain('78 of 300 that were compared, in A.csv T (78), notes.csv (2).');
  expect(told).toContain('changed beside the export: the code table tariffs.csv.');
  expect(told).not.toContain('another supplier');
  expect(told).toContain('run once with --accept-changes');
});

it('suspects the export where nothing else changed', () => {
  expect(changedAccountsText(found, 10, [])).toContain(
    'A file may be that of another supplier, or a column may have shifted.',
  );
});
