// The small metadata has the shape of each country's numbers, not of each kind of number (mobile, premium ...). That
// is enough before the platform's own check: kinds change with every release of the metadata, so the larger sets
// would refuse numbers that a platform with newer metadata accepts. They also take longer to load.
import metadata from 'libphonenumber-js/min/metadata';
import { phoneLibrary } from '../phone-number.ts';
import type { AccountPayload } from '../schemas/account.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/**
 * A number is valid if it belongs to the billing address's country or a supply address's country; in international
 * form it names its own country. Without an address, international form is required.
 */
const phoneOfCountry: Rule<AccountPayload> = {
  code: 'invalid_phone_number',
  check(payload, report) {
    each(payload.customers, (customer, index) =>
      each(phones, (field) => {
        const number = customer[field];
        if (number !== undefined && !isPhone(number, payload))
          report(
            `customers.${index}.${field}`,
            'Not a valid phone number in the country of the address; write other numbers as +1 ...',
          );
      }),
    );
  },
};

const phones = ['landline', 'mobile'] as const;

function isPhone(text: string, account: AccountPayload): boolean {
  if (isPlainlyInternational(text)) return true;
  if (text.trimStart().startsWith('+')) return phoneLibrary().isValidPhoneNumber(text);
  const { billing_address, supply_addresses = [] } = account;
  return (
    isPhoneOf(text, billing_address?.country) ||
    supply_addresses.some(({ supply_address }) => isPhoneOf(text, supply_address.country))
  );
}

function isPhoneOf(text: string, country: string | undefined): boolean {
  const code = country?.toUpperCase();
  if (code === undefined) return false;
  if (isPlainlyNational(text, code)) return true;
  const { isSupportedCountry, isValidPhoneNumber } = phoneLibrary();
  return isSupportedCountry(code) && isValidPhoneNumber(text, code);
}

export const phoneRules = [phoneOfCountry];

// The library compiles a country's patterns anew at every call, which is nine tenths of what a number costs (27 µs against
// 0.6, and up to a fifth of the reading thread's time). Nearly every number is written plainly, +441632960001 or 020 7946
// 0958, and is in order: those are told here, from the library's own metadata, by patterns that are compiled once. Whatever is not told here is
// asked of the library, and so is everything where its metadata has another form.

/** The form of the metadata that is known here, and the places in a country's entry that are read. */
const knownForm = 4;
const [callingCodeAt, patternAt, nationalPrefixAt, dialledPrefixAt] = [0, 2, 5, 7];
const [leadingDigitsAt, typesAt] = [10, 11];

interface Plan {
  readonly pattern: RegExp;
  /** By kind of number, where a plan has them: one of them must take the number too. */
  readonly kinds: readonly Kind[];
}

interface Kind {
  readonly pattern: RegExp;
  /** Digits that such a number may have; absent: as many as the pattern takes. */
  readonly lengths: ReadonlySet<unknown> | undefined;
}

/** By calling code; undefined where the library is to decide. */
const plans = new Map<string, Plan | undefined>();

/** How a number is dialled within its country. */
interface Dialling {
  readonly callingCode: string;
  /** Finds what is dialled before the national number. */
  readonly prefix: RegExp;
}

/** By country; undefined where the library is to decide. */
const diallings = new Map<string, Dialling | undefined>();

/** Whether the text is, for certain, a valid number in international form: digits, with single blanks between them at most. */
export function isPlainlyInternational(given: string): boolean {
  if (!/^\+[1-9](?: ?\d){5,14}$/.test(given)) return false;
  const text = given.replaceAll(' ', '');
  for (let digits = 1; digits <= 3; digits += 1) {
    const code = text.slice(1, 1 + digits);
    const plan = planOf(code);
    if (plan !== undefined) return matches(plan, text.slice(1 + digits));
  }
  return false;
}

/**
 * Whether the text is, for certain, a valid number of this country (two capital letters) as it is dialled there: the prefix
 * 0 and digits, with single blanks between them at most.
 */
export function isPlainlyNational(given: string, country: string): boolean {
  if (!/^0 ?[1-9](?: ?\d){4,13}$/.test(given)) return false;
  const text = given.replaceAll(' ', '');
  if (!diallings.has(country)) diallings.set(country, diallingOf(country));
  const dialling = diallings.get(country);
  if (dialling === undefined) return false;
  const [prefix, ...groups] = dialling.prefix.exec(text) ?? [];
  // Where the pattern has captured anything, the library may rewrite the number.
  if (prefix !== '0' || groups.join('') !== '') return false;
  return isPlainlyInternational(`+${dialling.callingCode}${text.slice(1)}`);
}

/** Undefined where the calling code is first of all another country's. */
function diallingOf(country: string): Dialling | undefined {
  const entries: ReadonlyMap<string, readonly unknown[]> = new Map(Object.entries(metadata.countries));
  const entry = metadata.version === knownForm ? entries.get(country) : undefined;
  const callingCode = String(entry?.[callingCodeAt]);
  if (entry === undefined || metadata.country_calling_codes[callingCode]?.[0] !== country) return undefined;
  const pattern = entry[dialledPrefixAt] || entry[nationalPrefixAt];
  return typeof pattern === 'string' ? { callingCode, prefix: new RegExp(`^(?:${pattern})`) } : undefined;
}

function matches({ pattern, kinds }: Plan, national: string): boolean {
  if (!pattern.test(national)) return false;
  if (kinds.length === 0) return true;
  return kinds.some((kind) => (kind.lengths?.has(national.length) ?? true) && kind.pattern.test(national));
}

function planOf(code: string): Plan | undefined {
  if (!plans.has(code)) plans.set(code, compiled(code));
  return plans.get(code);
}

function compiled(code: string): Plan | undefined {
  const [main, ...others] =
    metadata.version === knownForm ? (metadata.country_calling_codes[code] ?? []) : [];
  const entry: readonly unknown[] = (main && metadata.countries[main]) ?? [];
  const kinds = kindsOf(entry[typesAt]);
  const pattern = entry[patternAt];
  // Countries that share a code are told apart by leading digits or by kinds.
  const isShared = others.length > 0 && (kinds.length === 0 || Boolean(entry[leadingDigitsAt]));
  return typeof pattern === 'string' && !isShared ? { pattern: entirely(pattern), kinds } : undefined;
}

function kindsOf(types: unknown): Kind[] {
  if (!Array.isArray(types)) return [];
  return types.flatMap((type: unknown) => {
    if (!Array.isArray(type)) return [];
    const [pattern, lengths] = type as readonly unknown[];
    if (typeof pattern !== 'string' || pattern === '') return [];
    return [{ pattern: entirely(pattern), lengths: Array.isArray(lengths) ? new Set(lengths) : undefined }];
  });
}

function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
