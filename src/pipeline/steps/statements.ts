import { refusedBy, type PartPolicy, type Verdict } from '../part.ts';
import type { Settings, Tenancy } from '../settings.ts';
import type { ItemsStep } from './item-list.ts';

export const statementExistsCode = 'historical_statement_already_exists';

/**
 * Adds the historical statements (endpoint 12). After a lost answer they are repeated one by one: "already exists" for
 * that id means that it arrived. Where the tenancy does not refuse known ids, a lost answer is left to a person.
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
    // An id alone does not tell whether the statement is the same.
    isRecognised: () => false,
    policy: ({ count }): PartPolicy => ({
      whenLost: whenLost(tenancy.statementsRefuseKnownIds, count),
      judge: (answer, afterUnknown): Verdict => {
        if (answer.kind === 'ok') return { state: 'done' };
        const verdict = refusedBy(answer);
        const ours = afterUnknown && count === 1 && saysExists(verdict);
        return ours ? { state: 'done', code: statementExistsCode } : verdict;
      },
    }),
  };
}

/** A single statement has nothing left to take apart: it is repeated, and its own answer tells. */
function whenLost(areIdsRefused: boolean, count: number): PartPolicy['whenLost'] {
  if (!areIdsRefused) return 'uncertain';
  return count === 1 ? 'repeat' : 'settle';
}

function saysExists(verdict: Verdict): boolean {
  return verdict.problems?.every((problem) => problem.code === statementExistsCode) ?? false;
}
