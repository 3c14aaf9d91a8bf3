import { foreignPath } from '../../contract/foreign-names.ts';
import { accountPayload } from '../../contract/schemas/account.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import type { AccountRun } from '../account/account-run.ts';
import { platformWords } from '../request/platform-words.ts';

/** A name with dots, or with an underscore: other words are of the language. */
const fieldName = /[a-z][a-z0-9]*(?:[._][a-z0-9]+)+/gi;

/** Where a task's error is in the account payload, and its words without the customer's data. */
export function taskProblems(
  run: AccountRun,
  code: string,
  detail: string,
): { readonly path: string; readonly words: string | undefined } {
  const payload = parseJson(run.payloadBody.toString());
  const named = isJsonObject(payload)
    ? [...detail.matchAll(fieldName)].map(([name]) => foreignPath(name, payload, accountPayload))
    : [];
  const words = platformWords({ problems: [], code, detail, wouldImport: false }, run.sent);
  return { path: named.find((path) => path !== '') ?? '', words };
}
