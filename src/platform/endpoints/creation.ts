import {
  alreadyImportedAnswer,
  processAnswer,
  stageAnswer,
  transferStatusAnswer,
  type TransferStatus,
} from '../../contract/answers.ts';
import type { AccountPayload } from '../../contract/schemas/account.ts';
import type { ProcessPayload } from '../../contract/schemas/import-process.ts';
import type { AccountKey } from '../../domain/account-key.ts';
import { parseJson, type JsonObject } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { supplierStatus, type OperatorConfig } from '../operator.ts';
import { keyText, platformDatetime, type PlatformContext } from '../platform-context.ts';
import { alreadyImported, invalid, problem, tooManyRequests } from '../refusals.ts';
import { answer, type Refused } from '../reply.ts';
import { accountNumber, type StoredAccount } from '../store/accounts.ts';
import type { PathEndpoint, ServedEndpoint } from './endpoint.ts';

/** Endpoint 2: stores the data, or replaces it (section 4, rule 2). */
export const stage: ServedEndpoint = {
  description: {
    summary: 'Store account data, or replace what is stored',
    answer: { Staged: stageAnswer },
    refusals: { AlreadyImported: alreadyImportedAnswer },
  },
  step: 'stage',
  refusesFirst: () => true,
  answer({ key, text }, context) {
    const { store } = context;
    const closed = notOpen(context.operator(), key.supplier, key.account, 'import_supplier');
    if (closed !== undefined) return invalid([closed]);
    const account = store.findAccount(key);
    if (typeof account?.number === 'number') return alreadyImported(key, account.number);
    store.stageAccount(key, account?.processId, { text, rules: context.rules.version(key.supplier) });
    return answer(account === undefined ? 201 : 200, {
      import_supplier: key.supplier,
      external_account_number: key.account,
    });
  },
};

/** Endpoint 1: the validated data as body; nothing is stored (section 4, rule 1). */
export const validate: ServedEndpoint = {
  description: { summary: 'Check account data without storing it', answer: 'the request' },
  step: 'validate',
  refusesFirst: () => true,
  answer({ key, text }, context) {
    const missing = unknownSupplier(context.operator(), key.supplier, 'import_supplier');
    return missing === undefined ? { status: 200, body: text } : invalid([missing]);
  },
};

/** A refusal, so that all that was done for it is rolled back. */
const wouldImport: Refused = {
  status: 400,
  code: '400',
  detail: 'Account would successfully import. Rolled back due to Dry Run.',
};

/** Endpoint 3: creates the account from the staged data, once (section 4, rule 3). */
export const process: ServedEndpoint = {
  description: {
    summary: 'Create the account from its staged data; with dry_run, try it and roll it back (400)',
    answer: { CreatedAccount: processAnswer },
    statuses: ['429'],
    refusals: { AlreadyImported: alreadyImportedAnswer },
  },
  step: 'process',
  refusesFirst: ({ body }) => (body as ProcessPayload).dry_run !== true,
  answer({ key, body }, context) {
    const { store } = context;
    const payload = body as ProcessPayload;
    const closed = notOpen(context.operator(), key.supplier, key.account, 'import_supplier_code');
    if (closed !== undefined) return invalid([closed]);
    const account = store.findAccount(key);
    if (account === undefined)
      return invalid([
        problem(
          'import_process_does_not_exist',
          'external_account_number',
          'No data is staged for this account.',
        ),
      ]);
    if (account.number !== null) return alreadyImported(key, account.number);
    const problems = nowWrong(key, account, context);
    if (problems.length > 0) return invalid(problems);
    const number = store.importAccount(
      account.processId,
      platformDatetime(context),
      // A tenancy may allocate teams itself.
      (payload as Partial<ProcessPayload>).operations_team_name ?? '',
    );
    if (context.operator().suppliers[key.supplier]?.sendEmails === true)
      sendEmails(account.processId, number, context);
    return payload.dry_run === true
      ? wouldImport
      : answer(201, { kraken_account_number: accountNumber(number) });
  },
  async around({ key }, context, proceed) {
    const { cap, durationMs } = context.operator().process;
    const { inProgress } = context;
    if (cap !== undefined && inProgress.size >= cap && !inProgress.has(keyText(key)))
      return tooManyRequests();
    const name = keyText(key);
    inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
    try {
      if (durationMs > 0) await context.clock.sleep(durationMs, context.closing());
      return await proceed();
    } finally {
      const left = (inProgress.get(name) ?? 1) - 1;
      if (left > 0) inProgress.set(name, left);
      else inProgress.delete(name);
    }
  },
};

/** What is wrong with staged data that passed under other rules than today's. */
function nowWrong(
  { supplier }: AccountKey,
  account: StoredAccount,
  { rules, store }: PlatformContext,
): PayloadProblem[] {
  if (account.rules === rules.version(supplier)) return [];
  return rules.check('stage', supplier, parseJson(store.readPayload(account.processId)) as JsonObject);
}

function sendEmails(processId: number, number: number, { store }: PlatformContext): void {
  const { customers = [] } = parseJson(store.readPayload(processId)) as AccountPayload;
  for (const { email } of customers) if (typeof email === 'string') store.addEmail(number, email);
}

/** Endpoint 4: 200 whenever an import process exists (section 4, rule 4; section 2.12). */
export const transferStatus: PathEndpoint = {
  description: {
    summary: 'Whether an account was created for an import process',
    answer: { ImportStatus: transferStatusAnswer },
    statuses: ['404'],
  },
  answer(key, context) {
    const account = context.store.findAccount(key);
    if (account === undefined)
      return {
        status: 404,
        code: 'import_process_does_not_exist',
        detail: 'No account import process exists for this supplier and account number.',
      };
    const status = (name: TransferStatus, number = '') =>
      answer(200, { status: name, kraken_account_number: number });
    if (account.number !== null) return status('COMPLETED', accountNumber(account.number));
    return status(context.inProgress.has(keyText(key)) ? 'IN_PROGRESS' : 'UNKNOWN');
  },
};

/** The problem of a supplier code in the payload's field `path`; undefined if the supplier exists. */
function unknownSupplier(operator: OperatorConfig, code: string, path: string): PayloadProblem | undefined {
  return supplierStatus(operator, code) !== undefined
    ? undefined
    : problem('import_supplier_does_not_exist', path, 'No import supplier has this code.');
}

/** What keeps an account from being staged or created (section 4, rule 2), its import apart. */
export function notOpen(
  operator: OperatorConfig,
  supplier: string,
  account: string,
  path: string,
): PayloadProblem | undefined {
  const missing = unknownSupplier(operator, supplier, path);
  if (missing !== undefined) return missing;
  const status = supplierStatus(operator, supplier);
  if (status !== 'Ongoing')
    return problem(
      'import_supplier_migration_not_ongoing',
      path,
      `The migration of this import supplier is ${status === 'Paused' ? 'paused' : 'complete'}.`,
    );
  if (operator.skipped.some((skipped) => skipped.supplier === supplier && skipped.account === account))
    return problem(
      'account_import_process_skipped',
      'external_account_number',
      'The account is marked to be skipped.',
    );
  return undefined;
}
