import type { Change, Json, Passing } from './changed-platform.ts';

/** A platform that does one thing otherwise, and the sentence that it breaks. */
export type Breach = readonly [breach: string, sentence: string, change: Change];

type Step = (answer: Passing['answer'], passing: Passing) => void | Promise<void>;

const isAt = ({ path }: Passing, part: string): boolean => path.includes(`/${part}/`);
const after = (part: string, change: Step): Change => ({
  after: async (passing) => {
    if (isAt(passing, part)) await change(passing.answer, passing);
  },
});
const before = (part: string, change: (body: Json, passing: Passing) => void): Change => ({
  before: (passing) => {
    if (isAt(passing, part)) change(passing.body, passing);
  },
});
const without = (value: unknown, name: string): Json => {
  const { [name]: _left, ...rest } = value as Json;
  return rest;
};
const objects = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const says = (body: unknown, words: string): boolean => JSON.stringify(body ?? '').includes(words);
const errorsIn = ({ status, body }: Passing['answer']): Json[] =>
  status === 400 ? objects((body as Json)['errors']) : [];
const status = (change: (body: Json) => Json): Change =>
  after('account-transfer-status', (answer) => {
    if (answer.status === 200) answer.body = change(answer.body as Json);
  });
const listed = (kind: string, change: (record: Json) => Json | undefined): Change =>
  after(`${kind}-account-import-processes`, (answer) => {
    answer.body = objects(answer.body).flatMap((record) => change(record) ?? []);
  });
/** The good token, whatever was sent. */
const openAt = (part: string): Change => {
  let good = '';
  return {
    before: (passing) => {
      const { authorization = '' } = passing.headers;
      if (authorization !== '' && authorization !== 'Token not-a-token') good = authorization;
      else if (isAt(passing, part)) passing.headers['authorization'] = good;
    },
  };
};
let counter = 0;

const validate = 'validate-account';
const stage = 'create-or-update';
const process = 'process';
const alreadyImported =
  'If the account is already imported, process answers with 400, external_account_number and kraken_account_number.';
const validatesOnly = 'Validate answers 200 with the validated data, and stores nothing.';
const refusesInvalid = 'Validate refuses invalid data with 400 and a validation error (7).';
const paths = 'attr, the path of the field: names and positions from zero';

export const breaches: readonly Breach[] = [
  [
    'validate that stores',
    validatesOnly,
    after(validate, async (answer, { ask, body }) => {
      if (answer.status === 200) await ask('/v1/data-import/account-import-process/create-or-update/', body);
    }),
  ],
  [
    'validate without the data',
    validatesOnly,
    after(validate, (answer) => {
      if (answer.status === 200) answer.body = { queued: true };
    }),
  ],
  [
    'validate that accepts all',
    refusesInvalid,
    after(validate, (answer, { body }) => void Object.assign(answer, { status: 200, body })),
  ],
  [
    'validate that lists no errors',
    refusesInvalid,
    after(validate, (answer) => {
      if (answer.status === 400) answer.body = without(answer.body, 'errors');
    }),
  ],
  [
    'stage with 200 the first time',
    'Stage answers 201 the first time, and 200 when it replaces staged data.',
    after(stage, (answer) => {
      if (answer.status === 201) answer.status = 200;
    }),
  ],
  [
    'stage that does not name the supplier',
    'The response of stage has import_supplier and external_account_number.',
    after(stage, (answer) => {
      if (answer.status < 300) answer.body = without(answer.body, 'import_supplier');
    }),
  ],
  [
    'stage that does not check',
    'Stage applies the rules of validate before it stores anything.',
    before(stage, ({ customers }) => {
      for (const customer of objects(customers)) delete customer['landline'];
    }),
  ],
  [
    'stage that accepts an imported account',
    'Stage refuses an account that is already imported with 400.',
    after(stage, (answer) => {
      if (says(answer.body, 'already_imported')) answer.status = 200;
    }),
  ],
  [
    'process without a number',
    'Process answers 201 with kraken_account_number.',
    after(process, (answer) => {
      if (answer.status === 201) answer.body = { account: '1' };
    }),
  ],
  [
    'process without staged data',
    'Process needs staged data.',
    after(process, (answer) => {
      if (says(answer.body, 'import_process_does_not_exist'))
        Object.assign(answer, { status: 201, body: { kraken_account_number: 'A-1' } });
    }),
  ],
  [
    'process for any team',
    'Process needs a team that exists.',
    before(process, (body) => void (body['operations_team_name'] = 'MIGRATIONS')),
  ],
  [
    'a dry run that says nothing',
    'A dry run that would succeed is answered with 400 and the message Account would successfully import. Rolled back due to Dry Run.',
    after(process, (answer) => {
      if (says(answer.body, 'Dry Run')) answer.body = { detail: 'Fine.', code: '400' };
    }),
  ],
  [
    'a dry run that creates',
    'A dry run creates nothing: the account stays staged.',
    before(process, (body) => {
      delete body['dry_run'];
    }),
  ],
  [
    'an imported account without its platform number',
    alreadyImported,
    after(process, (answer) => {
      if (answer.status === 400) answer.body = without(answer.body, 'kraken_account_number');
    }),
  ],
  [
    'an imported account without its external number',
    alreadyImported,
    after(process, (answer) => {
      if (answer.status === 400) answer.body = without(answer.body, 'external_account_number');
    }),
  ],
  [
    'several accounts for one',
    'An account is created once, however often it is processed.',
    after(process, (answer) => {
      if (says(answer.body, 'already_imported'))
        Object.assign(answer, { status: 201, body: { kraken_account_number: `A-${++counter}` } });
    }),
  ],
  [
    'dates that are not checked',
    'A date is YYYY-MM-DD.',
    before(validate, ({ ledgers }) => {
      for (const ledger of objects(ledgers)) delete ledger['last_statement_closing_date'];
    }),
  ],
  [
    'datetimes that are not checked',
    'A datetime is YYYY-MM-DDTHH:MM:SSZ, in UTC.',
    before('notes', ({ notes }) => {
      for (const note of objects(notes)) delete note['created_at'];
    }),
  ],
  [
    'amounts that are numbers alone',
    'An amount is a JSON number or a decimal string. Both forms are accepted.',
    before(validate, ({ ledgers }) => {
      for (const ledger of objects(ledgers))
        if (typeof ledger['ledger_balance'] === 'string') ledger['ledger_balance'] = 'text';
    }),
  ],
  [
    'process without a supplier',
    'Every payload requires the import supplier.',
    before(process, (body) => {
      delete body['import_supplier'];
      body['import_supplier_code'] = 'TENTACLE_ENERGY';
    }),
  ],
  [
    'metadata that is unknown',
    'An account may have any of these fields.',
    before(validate, (body) => {
      if ('metadata' in body) body['metadata'] = 'unknown';
    }),
  ],
  [
    'phone numbers that are not checked',
    'A phone number is checked.',
    before(validate, ({ customers }) => {
      for (const customer of objects(customers)) delete customer['landline'];
    }),
  ],
  [
    'errors without attr',
    paths,
    after(validate, (answer) => {
      for (const error of errorsIn(answer)) delete error['attr'];
    }),
  ],
  [
    'paths with slashes',
    paths,
    after(validate, (answer) => {
      for (const error of errorsIn(answer)) error['attr'] = String(error['attr']).replaceAll('.', '/');
    }),
  ],
  [
    'codes that change',
    'a code, which does not change',
    after(validate, (answer) => {
      for (const error of errorsIn(answer)) error['code'] = `e${++counter}`;
    }),
  ],
  [
    'a status for every account',
    'The status of an account that was never staged is 404.',
    after('account-transfer-status', (answer) => {
      if (answer.status === 404)
        Object.assign(answer, { status: 200, body: { status: 'UNKNOWN', kraken_account_number: '' } });
    }),
  ],
  [
    'null instead of empty text',
    'UNKNOWN: it does not exist; it was never processed, or processing failed. The number is empty text.',
    status((body) => (body['status'] === 'UNKNOWN' ? { ...body, kraken_account_number: null } : body)),
  ],
  [
    'an imported account that stays UNKNOWN',
    'COMPLETED: the account exists, and the response has its number.',
    status((body) => ({ ...body, status: 'UNKNOWN' })),
  ],
  [
    'a list without pending accounts',
    'The list of all accounts has both pending and imported accounts.',
    listed('all', (record) => (record['kraken_account_number'] === null ? undefined : record)),
  ],
  [
    'a list without the time of creation',
    'An imported account has its number and the time of its creation.',
    listed('all', (record) => ({ ...record, account_created_at: null })),
  ],
  [
    'a pending account with an empty number',
    'The last two are null while the account is only staged.',
    listed('pending', (record) => ({ ...record, kraken_account_number: '' })),
  ],
  [
    'imported accounts that stay pending',
    'The list of pending accounts has no imported accounts.',
    before('pending-account-import-processes', (_body, passing) => {
      passing.path = passing.path.replace('pending-', 'all-');
    }),
  ],
  [
    'no list of imported accounts',
    'migrate also asks for the status of one account (2.12), and for the lists of all, pending and imported accounts (2.5).',
    after('imported-account-import-processes', (answer) => void (answer.status = 404)),
  ],
  [
    'notes without a status',
    'The response has created_at, body and status of each note.',
    after('notes', ({ body }) => {
      for (const note of objects(body)) delete note['status'];
    }),
  ],
  [
    'notes that are added twice',
    'The platform recognises a note that it already has by the same body and, if one is given, the same created_at.',
    after('notes', ({ body }) => {
      for (const note of objects(body)) note['status'] = 'NOTE_CREATION_SUCCESS';
    }),
  ],
  [
    'notes with nothing in them',
    'A note has a body, or document_paths (each with a document_path, 2.1), or both.',
    before('notes', ({ notes }) => {
      for (const note of objects(notes)) note['body'] ??= 'None.';
    }),
  ],
  [
    'notes that cannot be unpinned',
    "is_pinned keeps the note at the top of the account's page; unpin_at, a datetime, may end that.",
    before('notes', ({ notes }) => {
      for (const note of objects(notes)) if ('unpin_at' in note) note['unpin_at'] = 7;
    }),
  ],
  [
    '400 where an account is missing',
    'the account does not exist; for notes it must be imported, not only staged',
    after('notes', (answer) => {
      if (answer.status === 404) answer.status = 400;
    }),
  ],
  [
    'transactions without their data',
    'The response has a status and the data of each transaction.',
    after('transactions', ({ status: told, body }) => {
      if (told === 201) for (const one of objects((body as Json)['results'])) delete one['transaction_data'];
    }),
  ],
  [
    'transactions that are added twice',
    'With check_previously_added, the platform skips transactions that it already has.',
    before('transactions', (_body, passing) => {
      if (!passing.path.includes('?')) passing.path += '?check_previously_added=false';
    }),
  ],
  [
    'transactions that are always looked up',
    'With check_previously_added=false, it does not check.',
    before('transactions', (_body, passing) => {
      passing.path = passing.path.replace('check_previously_added=false', '');
    }),
  ],
  [
    'dates that are not moved',
    'With force_add_to_current_statement, it moves a date outside the open statement period into that period, and adds a pinned note.',
    before('transactions', (_body, passing) => {
      if (!passing.path.includes('?')) passing.path += '?force_add_to_current_statement=false';
    }),
  ],
  [
    'failing transactions that are not named',
    'If a transaction fails, the response names the first one.',
    after('transactions', (answer) => {
      if (answer.status === 400) answer.body = without(answer.body, 'transaction_data');
    }),
  ],
  [
    'agreements with an answer of another form',
    'The response to historical agreements is empty.',
    after('historical-agreements', (answer) => {
      if (answer.status < 300) answer.body = { queued: true };
    }),
  ],
  [
    'a ledger that takes its documents twice',
    'A ledger accepts one request.',
    after('historical-billing-documents', (answer) => {
      if (answer.status === 400) Object.assign(answer, { status: 201, body: undefined });
    }),
  ],
  [
    "a proxy's page instead of the statements",
    'The response to statements is the validated data.',
    after('historical-statements', (answer) => {
      Object.assign(answer, { status: 200, body: '<html></html>' });
    }),
  ],
  [
    'a payment instruction without its reference',
    "The response to a payment instruction has the account's number and the reference.",
    after('payment-instruction', (answer) => {
      if (answer.status < 300) answer.body = without(answer.body, 'reference');
    }),
  ],
  [
    'data for an account that does not exist',
    'They need an account that exists.',
    after('historical-statements', (answer) => {
      if (answer.status === 404) Object.assign(answer, { status: 200, body: {} });
    }),
  ],
  [
    'a list that is open to all',
    'A request without a valid token is refused.',
    openAt('all-account-import-processes'),
  ],
  ['a process that is open to all', 'A request without a valid token is refused.', openAt(process)],
  [
    'tokens for any key',
    'The token is obtained with the API key that the operator issued',
    after('graphql', (answer) => {
      if (says(answer.body, 'errors')) answer.body = { data: { obtainKrakenToken: { token: 'a-token' } } };
    }),
  ],
  [
    'a paused supplier that is taken',
    'Stage refuses its accounts with 400 while it is Paused or Complete.',
    before(stage, (body) => {
      if (body['import_supplier'] === 'PAUSED_ENERGY') body['import_supplier'] = 'TENTACLE_ENERGY';
    }),
  ],
];

/** What the interface does not say, so that a platform may do it. */
export const leniencies: readonly (readonly [leniency: string, change: Change])[] = [
  [
    'a second request for a ledger that is refused without errors',
    after('historical-billing-documents', (answer) => {
      if (answer.status === 400) answer.body = { detail: 'No.' };
    }),
  ],
  [
    'another code of the whole',
    after(validate, ({ status: told, body }) => {
      if (told === 400) (body as Json)['code'] = 'validation_error';
    }),
  ],
  ['errors that are told one at a time', after(validate, (answer) => void errorsIn(answer).splice(1))],
  [
    'metadata without a value',
    before(validate, ({ metadata }) => {
      for (const one of objects(metadata)) one['value'] ??= {};
    }),
  ],
  [
    'another status for requests without a token',
    {
      after: ({ answer }) => {
        if (answer.status === 401) answer.status = 404;
      },
    },
  ],
  [
    'fields that the interface does not have',
    after('data-import', (answer) => {
      const { body } = answer;
      if (answer.status < 300 && typeof body === 'object' && body !== null && !Array.isArray(body))
        answer.body = { ...body, account_number: 'A-1' };
    }),
  ],
  [
    'a cap on accounts in progress',
    after(process, (answer) => {
      if (answer.status === 400 && (counter += 1) % 5 === 0) answer.status = 429;
    }),
  ],
];
