import { extraStepNames, type ExtraStepName } from '../../../src/domain/steps.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { AccountEntry } from '../../../src/journal/journal.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import { effectsOf, has } from './accounts.ts';
import type { Ways } from './model-platform.ts';
import type { Wire } from './wire.ts';

/** What the platform has of an account and the journal does not, by account: it may come again if nothing can tell. */
export type Lost = Map<string, () => void>;

/**
 * After a journal went back with its mark: an account may have twice what the platform does not recognise, if nothing that is sent of it
 * before could tell that it is there. Returns what the others have lost: an attempt of unknown outcome explains what would have told.
 */
export function excuseUnwitnessed(
  wire: Wire,
  plans: readonly AccountPlan[],
  entries: readonly AccountEntry[],
  checksTransactions: boolean,
): Lost {
  const others: Lost = new Map();
  const { ways } = wire.platform;
  const hasProcess = (account: string) => isKnown(entries, account);
  const lacksAccounts = [...wire.platform.accounts].some(
    ([account, { number }]) =>
      number !== undefined && !wire.platform.isForeign(account) && !hasProcess(account),
  );
  for (const plan of plans) {
    const { account } = plan.key;
    const held = wire.platform.accounts.get(account);
    // The account itself is what the journal does not know.
    if (held?.number === undefined || !hasProcess(account)) continue;
    const { parts = [] } = entries.find(({ key }) => key.account === account) ?? {};
    const lost = (step: ExtraStepName): readonly string[] => {
      const known = parts
        .filter(({ step: of, state }) => of === step && state !== 'failed' && state !== 'refused')
        .flatMap(({ hash }) => wire.effectsOf(account, step, hash) ?? []);
      return held.effects[step].filter((effect) => !known.includes(effect));
    };
    const witnesses = extraStepNames.filter((step) => {
      const { unwanted } = effectsOf(plan, step);
      const hasPast = parts.some((part) => part.step === step && part.state !== 'done');
      return unwanted.length === 0 && !hasPast;
    });
    const recognised = (step: ExtraStepName, effect: string) => tells(step, effect, ways, checksTransactions);
    const isTold = witnesses.some((step) => lost(step).some((effect) => recognised(step, effect)));
    const isToCome = extraStepNames.some((step) =>
      effectsOf(plan, step).wanted.some(
        (effect) => recognised(step, effect) && !has(held.effects[step], step, effect),
      ),
    );
    const isWaiting = parts.some(({ state }) => state === 'uncertain');
    // One that waits for a ruling is driven by a later run, when the journal knows the other accounts.
    const excused = extraStepNames.flatMap((step) => lost(step).map((effect) => ({ step, effect })));
    const excuse = () => {
      for (const { step, effect } of excused) wire.mayComeAgain(account, step, effect);
    };
    if (isTold || (lacksAccounts && !isToCome && !isWaiting)) others.set(account, excuse);
    else excuse();
  }
  return others;
}

/** Whether the journal knows that the account was to be created. */
export function isKnown(entries: readonly AccountEntry[], account: string): boolean {
  return entries.some(
    ({ key, parts }) => key.account === account && parts.some(({ step }) => step === 'process'),
  );
}

/** Whether the platform says of an effect that it has it. */
function tells(step: ExtraStepName, effect: string, ways: Ways, checksTransactions: boolean): boolean {
  const item = JSON.parse(effect) as JsonObject;
  switch (step) {
    case 'notes':
      return item['body'] !== undefined;
    case 'transactions':
      return checksTransactions;
    case 'statements':
      return ways.refusesKnownStatements;
    case 'billing-documents': {
      const documents = item['historical_billing_documents'];
      return Array.isArray(documents) && documents.length > 0;
    }
    case 'agreements':
    case 'payment-instruction':
      return false;
  }
}
