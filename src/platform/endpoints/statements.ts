import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { StatementsPayload } from '../../contract/schemas/statements.ts';
import { accountNotFound, invalid, problem } from '../refusals.ts';
import type { ServedEndpoint } from './endpoint.ts';

/** Endpoint 12: each statement id once per account; the validated data as body. */
export const statements: ServedEndpoint = {
  description: { summary: 'Add historical statements', answer: 'the request', statuses: ['404'] },
  step: 'statements',
  answer({ key, body, text }, { store }) {
    const account = store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const known = ((body as Partial<StatementsPayload>).statements ?? []).flatMap((statement, index) =>
      store.addStatement(account, statement.statement_id, stringifyJson(statement as JsonObject))
        ? []
        : [
            problem(
              'historical_statement_already_exists',
              `statements.${index}.statement_id`,
              'The account already has a statement with this id.',
            ),
          ],
    );
    return known.length > 0 ? invalid(known) : { status: 201, body: text };
  },
};
