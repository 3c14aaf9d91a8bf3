import { expect, test } from 'vitest';
import type { Problem } from '../../src/domain/problem.ts';
import { withTotal } from '../../src/domain/account-state.ts';
import { accountRecord, problemRecord } from '../../src/report/json-records.ts';
import { ProblemTally } from '../../src/report/problem-tally.ts';
import type { RunEnding } from '../../src/report/ending.ts';
import { runSummary, runText } from '../../src/report/run-summary.ts';
import { validateSummary, validateText } from '../../src/report/validate-summary.ts';
import { counts, page, problem } from './fixture.ts';

function totals(...problems: readonly Problem[]) {
  const tally = new ProblemTally();
  for (const one of problems) tally.add(one);
  return tally.totals();
}

function cell(line: number, file = 'customers.csv', column = 'landline') {
  return { file, line, column };
}

const long = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount';

const run: RunEnding = {
  run: 7,
  platform: 'https://api.example.com',
  profile: null,
  rehearsal: false,
  suppliers: ['S', 'T'],
  dryRun: false,
  accounts: withTotal(counts({ completed: 1045, rejected: 2, failed: 1, uncertain: 1, skipped: 1 })),
  partlyRead: [],
  doubled: 0,
  taken: counts({ completed: 1045, rejected: 2, failed: 1, uncertain: 1, skipped: 1 }),
  wouldImport: 0,
  stagedByDryRun: 0,
  changedInBook: 0,
  refusedInBook: 0,
  ignoredRows: 0,
  requests: 12_345,
  retries: 1,
  durationMs: 125_300,
  problems: totals(
    problem({ cell: cell(12) }),
    problem({ account: '88', cell: cell(3) }),
    problem({
      code: long,
      path: 'transactions.0',
      detail: 'The items come to 12.31.',
      cell: cell(9, 'TX.csv', 'AMOUNT'),
    }),
  ),
  stopped: { reason: 'interrupt', detail: 'it was interrupted.' },
  workLeft: true,
  exit: 8,
  errors: [],
};

test('every field that a line of the mapping lacks is shown, once for all accounts', () => {
  const at = cell(58, 'm.yaml', 'transactions.each');
  const lacking = ['transaction_date', 'amount'].flatMap((field) =>
    ['1', '2'].map((account) =>
      problem({ code: 'required', account, path: `transactions.${account}.${field}`, cell: at }),
    ),
  );
  expect(totals(...lacking).worst.map(({ path }) => path)).toEqual([
    'transactions.1.transaction_date',
    'transactions.1.amount',
  ]);
});

test('the commands that a run names go on with the settings and the journal of its own', () => {
  const bare = { ...run, problems: totals(), examples: { rejected: 'A 1', uncertain: '0017' } };
  const text = runText(page(1000), bare, { profile: 'live', journal: 'j.db' });
  expect(text.match(/^ +migrate .*$/gm)?.map((line) => line.trim())).toEqual([
    'migrate show 0017 --profile live --journal j.db',
    'migrate list --profile live --journal j.db --state rejected',
    'migrate retry --profile live --journal j.db',
    'migrate list --profile live --journal j.db --state failed',
    'migrate list --profile live --journal j.db --state skipped --csv theirs.csv',
    'migrate resolve --from theirs.csv --profile live --journal j.db',
  ]);
});

test('who changed data after the import is not told to fix the files', () => {
  const changed = {
    ...run,
    accounts: withTotal(counts({ rejected: 2 })),
    taken: counts({ rejected: 2 }),
    changedAfterImport: 2,
    changedInBook: 2,
    problems: totals(problem({ code: 'changed_after_import' })),
  };
  const text = runText(page(1000), changed);
  expect(text).toContain('2 changed after the import: an account that exists is not changed');
  expect(text).not.toContain('correct the cells');
  expect(text).toContain('rejected  2  changed after the import');
  const one = runText(page(1000), { ...changed, changedAfterImport: 1, changedInBook: 1 });
  expect(one).toContain('1 rejected: correct the cells');
  expect(one).toContain('rejected  2  refused, or changed after the import');
});

test('why it stopped is told whole by the error line alone', () => {
  const detail = 'others have taken over its accounts. Run the same command again to join them.';
  const text = runText(page(1000), { ...run, stopped: { reason: 'lease-lost', detail } });
  expect(text).toContain('It stopped early: another run took over. First do what the error says.\n');
});

test.each([
  [{ changed: 0, unchanged: 0, same: 0 }, undefined],
  [
    { changed: 0, unchanged: 12, same: 0 },
    '12 completed accounts unchanged in the export, and not checked again.',
  ],
  [{ changed: 0, unchanged: 0, same: 12 }, '12 completed accounts unchanged in the export.'],
  [
    { changed: 1, unchanged: 12, same: 0 },
    '1 account changed in the export: `migrate list --changed` names them.',
  ],
])('what is told of rows that were compared: %o', (rows, told) => {
  const text = runText(page(1000), { ...run, rows });
  if (told === undefined) expect(text).not.toContain('changed in the export');
  else expect(text).toContain(told);
});

test('who asked for the rejected rows is told to fix them there, where there are any', () => {
  const steps = runText(page(1000), { ...run, rejectedRows: 2 }, { rejects: 'out' });
  expect(steps).toContain('run the same command with --with out instead of --rejects.');
  expect(steps).not.toContain('correct the cells');
  expect(runText(page(1000), run)).not.toContain('--rejects');
  const { completed } = run.accounts;
  const whole = { ...run, accounts: withTotal(counts({ completed })), taken: counts({ completed }) };
  expect(runText(page(1000), whole, { rejects: 'out' })).not.toContain('--rejects');
  // Where they could not be written, they are fixed in the files.
  expect(runText(page(1000), run, { rejects: 'out' })).toContain('correct the cells');
});

test('the summary of a run says what arrived, what was refused and where, and how to go on', () => {
  expect(runText(page(), run).split('\n')).toEqual([
    'Problems',
    '  customers.csv:3:landline  invalid_phone_number',
    '    This is no phone number of GB. (account 88, customers.0.landline)',
    '  customers.csv:12:landline  invalid_phone_number',
    '    This is no phone number of GB. (account 4711, customers.0.landline)',
    '  TX.csv:9:AMOUNT',
    `    ${long}`,
    '    The items come to 12.31. (account 4711, transactions.0)',
    '',
    'Problems by code',
    '  2  invalid_phone_number',
    `  1  ${long}`,
    '',
    'Run 7 on https://api.example.com: 1,050 accounts',
    '  completed  1,045  everything has arrived',
    '  rejected       2  refused; fix the data',
    '  failed         1  gave up after retries; run again',
    '  uncertain      1  the effect of a step cannot be known',
    '  skipped        1  not created by this journal',
    '  total      1,050',
    '  12,345 requests (1 retry) in 2m 5s.',
    '',
    'Next steps',
    '  It stopped early: it was interrupted. Run the same command again to continue.',
    '  1 uncertain: find out on the platform whether the step took effect, and record',
    '  a ruling: write done or repeat into the column ruling of the list. Nothing is',
    '  sent again until then.',
    '    migrate list --state uncertain --csv uncertain.csv',
    '  Once every row has its ruling:',
    '    migrate resolve --from uncertain.csv',
    '  2 rejected: correct the cells that the list names, then run the same command',
    "  again. This is for the data's owner.",
    '    migrate list --state rejected',
    '  If the data is right, and a setting or the platform was at fault, the next run',
    '  sends them again unchanged after this:',
    '    migrate retry',
    '  1 failed: run the same command again; it tries them as they are.',
    '    migrate list --state failed',
    '  1 skipped: the platform has them, and this journal did not create them. Find',
    '  out who did. To leave them alone, write skip into the column ruling of the',
    '  list, and record it. If they are yours, --adopt continues with them.',
    '    migrate list --state skipped --csv theirs.csv',
    '  Once the rows have their rulings:',
    '    migrate resolve --from theirs.csv',
  ]);
});

test('a run that did everything has nothing more to say', () => {
  const done = {
    ...run,
    platform: 'embedded',
    accounts: withTotal(counts({ completed: 1 })),
    taken: counts({ completed: 1 }),
    problems: totals(),
    retries: 0,
  };
  const { stopped: _stopped, ...whole } = done;
  expect(runText(page(40), whole).split('\n')).toEqual([
    'Run 7 on the embedded platform: 1',
    'account',
    '  completed  1  everything has arrived',
    '  total      1',
    '  12,345 requests in 2m 5s.',
  ]);
  expect(runSummary(whole)).toEqual({
    supplier: null,
    platform: 'embedded',
    profile: null,
    rehearsal: false,
    suppliers: ['S', 'T'],
    run: 7,
    dryRun: false,
    accounts: { total: 1, ...counts({ completed: 1 }) },
    ignoredRows: 0,
    changedAccounts: null,
    unchangedAccounts: null,
    requests: 12_345,
    retries: 0,
    durationMs: 125_300,
    stopReason: null,
    workLeft: true,
  });
});

test('a run of some of the steps says what waits for the others', () => {
  const { stopped: _stopped, ...whole } = { ...run, problems: totals() };
  const staged = counts({ staged: 50, completed: 1 });
  const waiting = { ...whole, accounts: withTotal(staged), taken: staged };
  expect(runText(page(1000), waiting)).toContain(
    '50 staged: they wait for steps that --steps excluded. Run without it.',
  );
});

test('a dry run says how many would import, and that nothing was created', () => {
  const dry: RunEnding = { ...run, suppliers: ['S'], dryRun: true, wouldImport: 40, problems: totals() };
  expect(runText(page(), dry)).toContain('Dry run 7 on https://api.example.com: 1,050 accounts');
  expect(runText(page(), dry)).toContain('40 accounts would be imported. Nothing was created.');
  expect(runSummary(dry)).toMatchObject({
    supplier: 'S',
    dryRun: true,
    wouldImport: 40,
    stopped: 'interrupt',
  });
});

test('a dry run does not promise to go on: it begins with the first accounts each time', () => {
  const stoppedBy = (reason: 'limit' | 'interrupt'): string =>
    runText(page(1000), { ...run, dryRun: true, stopped: { reason, detail: 'over.' } });
  expect(stoppedBy('limit')).toContain(
    'over. A dry run takes the first accounts each time: raise --limit to',
  );
  expect(stoppedBy('interrupt')).toContain('over. A dry run starts from the beginning each time.\n');
});

test('a platform that ignored dry_run is not run against again without a question', () => {
  const text = runText(page(), {
    ...run,
    stopped: { reason: 'dry-run-ignored', detail: 'ask the operator.' },
  });
  expect(text).toContain('It stopped early: the platform ignored dry_run. First do what the error says.');
  expect(text).not.toContain('Run the same command again to continue');
});

test('of many problems the worst twenty are shown, with some of every code and errors first', () => {
  const many = totals(
    problem({ code: 'soft', severity: 'warning', cell: cell(1, 'a.csv') }),
    ...Array.from({ length: 3000 }, (_, at) => problem({ cell: cell(at + 2) })),
    problem({ code: 'rare', cell: cell(4000) }),
  );
  expect(many).toMatchObject({ problems: 3002, warnings: 1 });
  expect(Object.entries(many.byCode)).toEqual([
    ['invalid_phone_number', 3000],
    ['rare', 1],
    ['soft', 1],
  ]);
  expect(many.worst).toHaveLength(20);
  expect(many.worst.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 18 }, () => 'invalid_phone_number'),
    'rare',
    'soft',
  ]);
  const text = validateText(page(), { accounts: 3000, valid: 0, ignoredRows: 0, problems: many });
  expect(text.split('\n').slice(-2)).toEqual([
    '3,000 accounts checked: 0 valid, 3,000 invalid, 3,002 problems, 1 of them a',
    'warning',
  ]);
  expect(text).toContain('Problems (20 of 3,002; --problems FILE lists all)\n');
  expect(text).toContain('  a.csv:1:landline  soft (warning)\n');
  const written = validateText(page(), {
    accounts: 3000,
    valid: 0,
    ignoredRows: 0,
    problems: { ...many, file: 'all.csv' },
  });
  expect(written).toContain('Problems (20 of 3,002; all in all.csv)\n');
});

test('a line of the mapping that is at fault for every account is shown once', () => {
  const many = totals(
    ...Array.from({ length: 50 }, () => problem({ code: 'required', cell: cell(14, 'mapping.yaml') })),
    problem({ cell: cell(2) }),
  );
  expect(many.byCode).toEqual({ required: 50, invalid_phone_number: 1 });
  expect(many.worst.map(({ code }) => code).sort()).toEqual(['invalid_phone_number', 'required']);
});

test('validate counts errors and warnings, and is short when all is well', () => {
  const problems = totals(problem(), problem({ severity: 'warning', code: 'soft' }));
  expect(validateSummary({ accounts: 50, valid: 49, ignoredRows: 3, problems })).toEqual({
    accounts: 50,
    valid: 49,
    invalid: 1,
    problems: 2,
    warnings: 1,
    byCode: { invalid_phone_number: 1, soft: 1 },
    ignoredRows: 3,
  });
  expect(validateText(page(), { accounts: 1, valid: 1, ignoredRows: 3, problems: totals() })).toContain(
    "3 rows left out on purpose, by the mapping's ignore or orphans.",
  );
  expect(validateText(page(), { accounts: 1, valid: 1, ignoredRows: 0, problems: totals() })).toBe(
    '1 account checked: 1 valid, 0 invalid, no problems',
  );
});

test('a problem without a cell names its path, its file or its account', () => {
  const { cell: _cell, ...bare } = problem({ path: '', detail: 'Staged data is missing.' });
  const text = validateText(page(), { accounts: 1, valid: 0, ignoredRows: 0, problems: totals(bare) });
  expect(text).toContain(
    '  the whole account  invalid_phone_number\n    Staged data is missing. (account 4711)\n',
  );
});

test('values from files cannot write to the terminal', () => {
  const evil = problem({
    account: '\u001b[2J',
    detail: 'no\u001b]8;;http://x\u0007',
    path: '\u009b31m',
    cell: { file: 'a\nb.csv', line: 1, column: '\u202ex' },
  });
  for (const text of [
    validateText(page(), { accounts: 1, valid: 0, ignoredRows: 0, problems: totals(evil) }),
    runText(page(), { ...run, platform: '\u001b[2J', problems: totals(evil) }),
  ])
    // eslint-disable-next-line no-control-regex -- what a terminal acts on
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('JSON lines have the keys that scripts rely on', () => {
  expect(problemRecord(problem())).toEqual({
    type: 'problem',
    account: '4711',
    step: 'validate',
    code: 'invalid_phone_number',
    path: 'customers.0.landline',
    detail: 'This is no phone number of GB.',
    severity: 'error',
    file: 'customers.csv',
    line: 12,
    column: 'landline',
  });
  const { cell: _cell, step: _step, ...bare } = problem({ account: null });
  expect(problemRecord(bare)).toMatchObject({ account: null, file: null, line: null, column: null });
  expect(
    accountRecord({ supplier: 'S', account: 'A', state: 'completed', krakenAccountNumber: 'K', code: '' }),
  ).toEqual({
    type: 'account',
    supplier: 'S',
    account: 'A',
    state: 'completed',
    krakenAccountNumber: 'K',
    code: null,
  });
  expect(accountRecord({ supplier: 'S', account: 'A', state: 'failed', code: 'timeout' })).toMatchObject({
    krakenAccountNumber: null,
    code: 'timeout',
  });
});

test('a run that was ended at once names no total that it does not know', () => {
  const accounts = withTotal(counts({ completed: 170, staged: 2 }));
  const ended = (total: number, uncounted: number | null): string[] =>
    runText(page(), { ...run, problems: totals(), accounts: { ...accounts, total, uncounted } }).split('\n');
  expect(ended(200, 28).slice(0, 5)).toEqual([
    'Run 7 on https://api.example.com: 200 accounts',
    '  staged         2  the data is staged on the platform',
    '  completed    170  everything has arrived',
    '  not counted   28  no run has read them yet',
    '  total        200',
  ]);
  expect(ended(172, null).slice(0, 5)).toEqual([
    'Run 7 on https://api.example.com: at least 172 accounts',
    '  staged         2  the data is staged on the platform',
    '  completed    170  everything has arrived',
    '  counted      172',
    '  not counted    ?  no run has read them yet',
  ]);
});
