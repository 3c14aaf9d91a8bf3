import type { z } from 'zod';
import { stringifyJson, type JsonObject } from '../../domain/json.ts';
import type { statementsPayload } from '../../contract/schemas/statements.ts';
import { missingDocuments } from '../document-paths.ts';
import { accountNotFound, invalid, problem } from '../refusals.ts';
import type { PostEndpoint } from './endpoint.ts';

/** Endpoint 12: each statement id once per account; the validated data as body. */
export const statements: PostEndpoint = {
  step: 'statements',
  answer({ key, body, text }, desk) {
    const { store } = desk;
    const account = store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const given = (body as z.infer<typeof statementsPayload>).statements;
    const missing = missingDocuments(
      desk.operator(),
      key.supplier,
      given.flatMap(({ statement_path: path }, index) =>
        path === undefined ? [] : [{ at: `statements.${index}.statement_path`, path }],
      ),
    );
    if (missing.length > 0) return invalid(missing);
    const known = given.flatMap((statement, index) =>
      store.addStatement(account, statement.statement_id, stringifyJson(statement as JsonObject))
        ? []
        : [
            problem(
              'historical_statement_already_exists',
              `statements.${index}.statement_id`,
              'The account has a statement of this id already.',
            ),
          ],
    );
    return known.length > 0 ? invalid(known) : { status: 201, body: text };
  },
};
