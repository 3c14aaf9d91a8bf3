import type { JsonObject } from '../domain/json.ts';
import type { Country } from './countries.ts';
import type { AccountContext } from './account-context.ts';

const givenNames = [
  'Zoë',
  'Jürgen',
  'Aoife',
  'Søren',
  'Łukasz',
  'Priya',
  'José',
  'Anna-Lena',
  'Mei',
  'Noël',
] as const;
const familyNames = [
  "D'Arcy",
  'Müller',
  'Nguyễn',
  'Sørensen',
  'Ó Néill',
  'Iyer',
  'Łącki',
  'Smith-Jones',
  '山田',
] as const;
const titles = ['Mr', 'Ms', 'Mx', 'Dr'] as const;

/** The customers of a known occupier: one to three (interface, section 2.3). */
export function customersOf(context: AccountContext, country: Country): JsonObject[] {
  const count = 1 + Number(context.oneIn(3)) + Number(context.oneIn(12));
  return Array.from({ length: count }, (_, index) => customer(context, country, index));
}

/** Everyone has a name and one way to be reached; the first customer of the first account has everything. */
function customer({ account, random, oneIn }: AccountContext, country: Country, index: number): JsonObject {
  const reachedBy = oneIn(5) ? 'both' : random.pick(['email', 'landline']);
  const [given_name, family_name] = [random.pick(givenNames), random.pick(familyNames)];
  const title = oneIn(2) && { title: random.pick(titles) };
  return {
    ...(reachedBy !== 'landline' && { email: `${account.toLowerCase()}.${index + 1}@example.com` }),
    family_name,
    given_name,
    ...(reachedBy !== 'email' && { landline: country.landline(random) }),
    ...(index === 0 && { portfolio_roles: ['ADMIN'] }),
    ...title,
    ...(oneIn(2) && { unable_to_read_meters: index > 0 }),
  };
}
