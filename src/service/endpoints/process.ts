import type { ProcessPayload } from '../../contract/schemas/import-process.ts';
import { keyText, platformDatetime } from '../desk.ts';
import { alreadyImported, invalid, problem, tooManyRequests } from '../refusals.ts';
import { answer, type Refused } from '../reply.ts';
import { accountNumber } from '../store/find-account.ts';
import type { PostEndpoint } from './endpoint.ts';
import { notOpen } from './supplier.ts';

/** A refusal, so that all that was done for it is rolled back. */
const wouldImport: Refused = {
  status: 400,
  code: '400',
  detail: 'Account would successfully import. Rolled back due to Dry Run.',
};

/** Endpoint 3: creates the account from the staged data, once (section 4, rule 3). */
export const process: PostEndpoint = {
  step: 'process',
  answer({ key, body }, desk) {
    const { store } = desk;
    const payload = body as ProcessPayload;
    const closed = notOpen(desk.operator(), key.supplier, key.account, 'import_supplier_code');
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
    const number = store.importAccount(account.id, platformDatetime(desk), payload.operations_team_name);
    return payload.dry_run === true
      ? wouldImport
      : answer(201, { kraken_account_number: accountNumber(number) });
  },
  async around({ key }, desk, proceed) {
    const { cap, durationMs } = desk.operator().process;
    const { inProgress } = desk;
    if (cap !== undefined && inProgress.size >= cap && !inProgress.has(keyText(key)))
      return tooManyRequests();
    const name = keyText(key);
    inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
    try {
      if (durationMs > 0) await desk.clock.sleep(durationMs, desk.closing());
      return await proceed();
    } finally {
      const left = (inProgress.get(name) ?? 1) - 1;
      if (left > 0) inProgress.set(name, left);
      else inProgress.delete(name);
    }
  },
};
