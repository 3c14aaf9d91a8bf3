import { createHash } from 'node:crypto';
import { checkPayload } from '../contract/preflight.ts';
import { controlCharacterCode } from '../contract/rules/control-characters.ts';
import type { RuleContext, RuleLevel } from '../contract/rules/rule.ts';
import { unknownValueCode } from '../contract/rules/unknown-values.ts';
import { levelsUnder } from '../contract/tenancy/contract-rules.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import type { AccountKey } from '../domain/account-key.ts';
import { utcDate } from '../domain/clock.ts';
import { documentDirectory } from '../domain/document-directory.ts';
import type { JsonObject } from '../domain/json.ts';
import type { PayloadProblem } from '../domain/problem.ts';
import type { StepName } from '../domain/steps.ts';
import type { OperatorConfig } from './operator.ts';

/** The shared rules, with what the operator knows. */
export interface PayloadRules {
  /** What is wrong with a payload; warnings refuse nothing and are left out. */
  readonly check: (step: StepName, supplier: string, payload: JsonObject) => PayloadProblem[];
  /** Names what the rules of a supplier depend on: a payload that passed under the same name passes again. */
  readonly version: (supplier: string) => string;
  /** Account payloads that were validated today, under what the operator knows now. */
  readonly recent: () => RecentPayloads;
}

/** What applies until the operator changes a setting, or the day ends. */
interface Knowledge {
  readonly operator: OperatorConfig;
  /** Days since the epoch. */
  readonly day: number;
  readonly suppliers: Map<string, Known>;
  readonly recent: RecentPayloads;
}

interface Known {
  readonly context: RuleContext;
  readonly version: string;
}

const dayMs = 24 * 3600 * 1000;

/**
 * `now` returns the platform's time, in milliseconds since the epoch. `contract`: the form of payloads, if it is not
 * the interface's.
 */
export function createPayloadRules(
  operator: () => OperatorConfig,
  now: () => number,
  contract?: TenancyContract,
): PayloadRules {
  let knowledge: Knowledge | undefined;

  const current = (): Knowledge => {
    const [decisions, day] = [operator(), Math.floor(now() / dayMs)];
    if (knowledge?.operator !== decisions || knowledge.day !== day)
      knowledge = { operator: decisions, day, suppliers: new Map(), recent: createRecentPayloads() };
    return knowledge;
  };
  const knownFor = (code: string): Known => {
    const { operator: decisions, day, suppliers } = current();
    const supplier = Object.hasOwn(decisions.suppliers, code) ? code : '';
    const known = suppliers.get(supplier) ?? knownOf(decisions, supplier, utcDate(day * dayMs), contract);
    suppliers.set(supplier, known);
    return known;
  };

  return {
    check: (step, supplier, payload) =>
      checkPayload(step, payload, knownFor(supplier).context).filter(({ severity }) => severity === 'error'),
    version: (supplier) => knownFor(supplier).version,
    recent: () => current().recent,
  };
}

function knownOf(
  operator: OperatorConfig,
  supplier: string,
  today: string,
  contract: TenancyContract | undefined,
): Known {
  const { rules, productCodes, teams, now } = operator;
  const { ledgers, objectStoreRoot } = operator.suppliers[supplier] ?? {};
  const looksUp = rules.path_does_not_exist_in_file_store !== undefined;
  // What the interface does not show is a warning, which refuses nothing; of characters it says nothing.
  const levels = new Map<string, RuleLevel>([
    [unknownValueCode, 'off'],
    [controlCharacterCode, 'off'],
    ['unknown_transaction_type', 'off'],
    ...Object.entries(rules),
  ]);
  const context: RuleContext = {
    today,
    ...(contract === undefined ? { levels } : { contract, levels: levelsUnder(contract, levels) }),
    operationsTeams: new Set(teams),
    ledgerCodes: ledgers && new Set(ledgers),
    productCodes: productCodes && new Set(productCodes),
    documents: objectStoreRoot === undefined || !looksUp ? undefined : documentDirectory(objectStoreRoot),
  };
  // The passing of days makes no payload wrong; a date that the operator sets back can.
  const text = JSON.stringify({ rules, productCodes, ledgers, now, contract: contract?.fingerprint });
  return { context, version: createHash('sha256').update(text).digest('base64url').slice(0, 12) };
}

interface RecentPayloads {
  /** Whose payload this text is, if it was validated lately. */
  readonly find: (text: string) => AccountKey | undefined;
  readonly add: (text: string, key: AccountKey) => void;
}

interface Validated {
  readonly text: string;
  readonly key: AccountKey;
}

/** Most characters that are remembered, all texts together. */
const most = 4_000_000;

/**
 * Remembers account payloads that were validated, by their text: an account is validated and then staged as it was, which
 * need not cost the same check twice.
 */
function createRecentPayloads(): RecentPayloads {
  const validated = new Map<string, Validated>();
  let held = 0;
  const forget = (mark: string): void => {
    held -= validated.get(mark)?.text.length ?? 0;
    validated.delete(mark);
  };
  return {
    find: (text) => {
      const found = validated.get(markOf(text));
      return found?.text === text ? found.key : undefined;
    },
    add: (text, key) => {
      const mark = markOf(text);
      forget(mark);
      validated.set(mark, { text, key });
      held += text.length;
      for (const oldest of validated.keys()) {
        if (held <= most) return;
        forget(oldest);
      }
    },
  };
}

/** The text after the name of the account's number distinguishes most payloads. Hashing the whole text is slower. */
function markOf(text: string): string {
  const name = '"external_account_number"';
  const at = text.indexOf(name) + name.length;
  return text.slice(at, at + 64);
}
