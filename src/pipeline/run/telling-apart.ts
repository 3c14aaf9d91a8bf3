import { isJsonObject, numberText, type JsonValue } from '../../domain/json.ts';

/**
 * Members of the interface's payloads whose values are codes: they say nothing about a person, so a message may have them.
 */
const codeMembers: ReadonlySet<string> = new Set([
  'account_type',
  'billing_document_type',
  'communication_preference',
  'ledger_code',
  'load_zone',
  'payment_type',
  'portfolio_roles',
  'product_code',
  'rate_band',
  'reason',
  'sales_channel',
  'sales_subchannel',
  'supply_type',
  'tariff_code',
  'tax_type',
  'type',
  'unit_type',
  'vendor',
]);
const code = /^[A-Za-z0-9_.-]{1,64}$/;
const longText = 255;

/** The most facts that are kept of one account, and of all together. */
const mostOfOne = 500;
const mostOfAll = 2_000;
/** Accounts that show something; fewer may have a value in common by chance. */
const enough = 3;
/** The most differences that are named. */
const mostNamed = 3;

/** What kind of value a member has that may make the difference; '' is its presence. Never a value of a person. */
export function factsOf(payloads: readonly JsonValue[]): ReadonlySet<string> {
  const facts = new Set<string>();
  const add = (fact: string): void => {
    if (facts.size < mostOfOne) facts.add(fact);
  };
  for (const payload of payloads) look(payload, '', add);
  return facts;
}

function look(value: JsonValue, path: string, add: (fact: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) look(item, path, add);
    return;
  }
  const number = numberText(value);
  if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value))
      look(member, path === '' ? key : `${path}.${key}`, add);
    return;
  }
  add(`${path} is present`);
  if (typeof value === 'boolean') add(`${path} is ${value}`);
  const text = typeof value === 'string' ? value : (number ?? '');
  if (/^-\d/.test(text)) add(`${path} is negative`);
  if (/^-?0(?:\.0+)?$/.test(text)) add(`${path} is zero`);
  if (typeof value !== 'string') return;
  if (codeMembers.has(path.slice(path.lastIndexOf('.') + 1)) && code.test(value)) add(`${path} is ${value}`);
  if (value.length > longText) add(`${path} has more than ${longText} characters`);
  if (/\P{ASCII}/u.test(value)) add(`${path} has characters outside ASCII`);
}

/**
 * Compares accounts that failed at a step with some that did not, by facts about their payloads. Memory does not grow with
 * their number.
 */
export class TellingApart {
  readonly #failed = new Map<string, number>();
  readonly #passed = new Map<string, number>();
  #failures = 0;
  #passes = 0;

  /** How many that did not fail were compared. */
  get compared(): number {
    return this.#passes;
  }

  failed(facts: ReadonlySet<string>): void {
    this.#failures += 1;
    count(this.#failed, facts);
  }

  passed(facts: ReadonlySet<string>): void {
    this.#passes += 1;
    count(this.#passed, facts);
  }

  /** What all that failed have, and none of the others; codes first. */
  differences(): readonly string[] {
    if (this.#failures < enough || this.#passes < enough) return [];
    const isKnown = this.#passed.size < mostOfAll && this.#failed.size < mostOfAll;
    if (!isKnown) return [];
    const own = [...this.#failed].flatMap(([fact, times]) =>
      times === this.#failures && !this.#passed.has(fact) ? [fact] : [],
    );
    const missing = [...this.#passed].flatMap(([fact, times]) =>
      times === this.#passes && !this.#failed.has(fact) && fact.endsWith(' is present')
        ? [fact.replace(/ is present$/, ' is absent')]
        : [],
    );
    const isPresence = (fact: string): boolean => fact.endsWith(' is present');
    // The presence of a member follows from anything else that is said of it.
    const said = own.filter((fact) => !isPresence(fact) || !own.some((other) => isMore(other, fact)));
    return [...said.filter((fact) => !isPresence(fact)), ...said.filter(isPresence), ...missing].slice(
      0,
      mostNamed,
    );
  }
}

function isMore(other: string, presence: string): boolean {
  const path = presence.slice(0, presence.lastIndexOf(' is present'));
  return other !== presence && other.startsWith(`${path} `);
}

function count(counts: Map<string, number>, facts: ReadonlySet<string>): void {
  for (const fact of facts) {
    const times = counts.get(fact);
    if (times !== undefined || counts.size < mostOfAll) counts.set(fact, (times ?? 0) + 1);
  }
}
