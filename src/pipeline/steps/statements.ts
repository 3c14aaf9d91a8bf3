import { stringifyJson } from '../../domain/json.ts';
import { statementExistsCode } from '../../domain/shared-codes.ts';
import { hasCode, type Refusal } from '../../contract/refusal.ts';
import type { PartPolicy } from '../request/part.ts';
import type { Settings, Tenancy } from '../settings.ts';
import type { ItemsStep } from './items-step.ts';
import type { RequestItems } from './sent-items.ts';

/**
 * Adds the historical statements (endpoint 12). After a lost answer they are repeated one by one: "already exists"
 * for an id means that it arrived. If the tenancy does not refuse known ids, a lost answer is left to a person.
 */
export function statements({
  tenancy,
  requestSizes,
}: Pick<Settings, 'requestSizes'> & {
  readonly tenancy: Pick<Tenancy, 'statementsRefuseKnownIds'>;
}): ItemsStep {
  return {
    kind: 'items',
    step: 'statements',
    endpoint: 'statements',
    array: 'statements',
    size: requestSizes.statements,
    isAlone: () => !tenancy.statementsRefuseKnownIds,
    marks: { coreOf: ({ statement_id: id }) => stringifyJson(id ?? null) },
    hasIds: true,
    // A proxy may have sent the request twice, and the answer be that to the second copy.
    keepsEarlier: (code) => code === statementExistsCode,
    // An id alone does not show whether the statement is the same.
    isRecognised: () => false,
    policy: (sent): PartPolicy => ({
      namesNothing: !tenancy.statementsRefuseKnownIds,
      whenLost: whenLost(tenancy.statementsRefuseKnownIds, sent.count),
      isRecognised: tenancy.statementsRefuseKnownIds,
      bearsWitness: tenancy.statementsRefuseKnownIds,
      isSeveral: sent.count > 1,
      keptCode: sent.count > 1 ? statementExistsCode : undefined,
      provesOurs: saysExists,
      saysSomeThere: (refusal) => hasCode(refusal, statementExistsCode) && haveOwnIds(sent),
      saysThere: (refusal) => sent.count === 1 && saysExists(refusal) && isOnly(sent),
    }),
  };
}

/** No other statement of the account has its id. */
function isOnly({ items: [item], all }: RequestItems): boolean {
  return all.filter(({ statement_id: id }) => id === item?.['statement_id']).length === 1;
}

/** Every statement of the account has an id of its own. */
function haveOwnIds({ all }: RequestItems): boolean {
  return new Set(all.map(({ statement_id: id }) => id)).size === all.length;
}

/** A single statement cannot be split: it is repeated, and its own answer decides. */
function whenLost(areIdsRefused: boolean, count: number): PartPolicy['whenLost'] {
  if (!areIdsRefused) return 'uncertain';
  return count === 1 ? 'repeat' : 'settle';
}

/**
 * Whether the platform has the statement: each problem says so, or the whole answer does and each problem is about
 * the id. Messages are ignored.
 */
function saysExists({ code, problems }: Refusal): boolean {
  const isOfId = (path: string) => /^(?:statements(?:\.0)?\.)?statement_id$|^statements\.0$|^$/.test(path);
  if (code === statementExistsCode) return problems.every(({ path }) => isOfId(path));
  return problems.length > 0 && problems.every((problem) => problem.code === statementExistsCode);
}
