import type { AccountKey } from '../../domain/account-key.ts';
import type { Random } from '../../domain/clock.ts';
import { keyText } from '../platform-context.ts';
import type { OperatorConfig } from '../operator.ts';
import type { FaultRule } from './fault-rules.ts';

type Trouble = Exclude<FaultRule, { kind: 'latency' }>;

/** What befalls one request: a delay, and at most one thing worse. */
export interface ChosenFault {
  /** Milliseconds. */
  readonly delay: number;
  readonly trouble: Trouble | undefined;
}

/** Decides the fault of a request about this account at this endpoint; '' if it names no account. */
export type ChooseFault = (endpoint: string, key: AccountKey) => ChosenFault;

/** Chooses among the operator's faults. The first rule that applies decides. */
export function createFaultChoice(
  faults: OperatorConfig['faults'],
  now: () => number,
  random: Random,
): ChooseFault {
  const seed = faults.seed ?? random();
  const rules = faults.rules.map((rule, index) => ({
    rule,
    looksAt: (endpoint: string, { account }: AccountKey) =>
      (rule.on?.some((name) => name === endpoint) ?? true) &&
      (rule.kind === 'burst' || rule.kind === 'token_lag' || (rule.accounts?.includes(account) ?? true)),
    strikes: strikesOf(rule, now, `${seed}/${index}`),
    name: `${seed}/${index}`,
  }));
  return (endpoint, key) => {
    let delay = 0;
    let trouble: Trouble | undefined;
    for (const { rule, looksAt, strikes, name } of rules) {
      if (!looksAt(endpoint, key) || !strikes(endpoint, key)) continue;
      if (rule.kind !== 'latency') trouble ??= rule;
      else {
        const text = `${name}/${endpoint}/${keyText(key)}`;
        delay += seededDelay(
          seededNumber(`${text}/a`),
          seededNumber(`${text}/b`),
          rule.ms,
          rule.tailMs ?? rule.ms,
        );
      }
    }
    return { delay, trouble };
  };
}

type Strikes = (endpoint: string, key: AccountKey) => boolean;

function strikesOf(rule: FaultRule, now: () => number, name: string): Strikes {
  if (rule.kind === 'burst') return burst(rule, now);
  if (rule.kind === 'token_lag') return () => true;
  const strikes = occasion(rule, name);
  return rule.kind === 'page_200_for' ? forAWhile(strikes, rule.forMs, now) : strikes;
}

/** From the first time that it strikes, everything. */
function forAWhile(strikes: Strikes, forMs: number, now: () => number): Strikes {
  let until = -Infinity;
  return (endpoint, key) => {
    const isStruck = strikes(endpoint, key);
    if (isStruck && now() >= until) until = now() + forMs;
    return now() < until;
  };
}

/** By chance or by position; always, if the rule gives neither. */
function occasion(rule: Exclude<FaultRule, { kind: 'burst' | 'token_lag' }>, name: string): Strikes {
  let seen = 0;
  /** How often a request was selected: its repeat is chosen again, and the choice for others stays the same. */
  const struck = new Map<string, number>();
  const byChance = (rate: number, endpoint: string, key: AccountKey): boolean => {
    const text = `${name}/${endpoint}/${keyText(key)}`;
    const turn = key.account === '' ? seen : (struck.get(text) ?? 0);
    const strikes = seededNumber(`${text}/${turn}`) < rate;
    if (strikes && key.account !== '' && rule.kind !== 'latency') struck.set(text, turn + 1);
    return strikes;
  };
  return (endpoint, key) => {
    seen++;
    if (rule.at?.includes(seen) === true) return true;
    if (rule.rate !== undefined) return byChance(rule.rate, endpoint, key);
    return rule.at === undefined;
  };
}

function burst({ requests, perMs }: Extract<FaultRule, { kind: 'burst' }>, now: () => number): Strikes {
  let [began, count] = [-Infinity, 0];
  return () => {
    if (now() - began >= perMs) [began, count] = [now(), 0];
    return ++count > requests;
  };
}

/**
 * A number from 0 (included) to 1 (excluded) that depends only on the text, so that the same request meets
 * the same fault in every run, whatever else is under way. FNV-1a, then murmur's finalizer.
 */
export function seededNumber(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * A delay in milliseconds with a long tail: half of the draws at most `ms`, ninety-nine in a hundred at most `tailMs`,
 * none beyond four times that. Both draws are from 0 to 1.
 */
function seededDelay(one: number, other: number, ms: number, tailMs: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
  const spread = ms === 0 ? 0 : Math.log(Math.max(tailMs / ms, 1)) / 2.326;
  return Math.min(ms * Math.exp(spread * normal), 4 * tailMs);
}
