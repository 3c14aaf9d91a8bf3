import type { JsonObject } from '../domain/json.ts';
import type { Country } from './countries.ts';
import type { Sheet } from './sheet.ts';

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
export function customersOf(sheet: Sheet, country: Country): JsonObject[] {
  const count = 1 + Number(sheet.oneIn(3)) + Number(sheet.oneIn(12));
  return Array.from({ length: count }, (_, index) => customer(sheet, country, index));
}

/** Everyone has a name and one way to be reached; the first customer of the first account has everything. */
function customer({ account, dice, oneIn }: Sheet, country: Country, index: number): JsonObject {
  const reachedBy = oneIn(5) ? 'both' : dice.pick(['email', 'landline']);
  const [given_name, family_name] = [dice.pick(givenNames), dice.pick(familyNames)];
  const title = oneIn(2) && { title: dice.pick(titles) };
  return {
    ...(reachedBy !== 'landline' && { email: `${account.toLowerCase()}.${index + 1}@example.com` }),
    family_name,
    given_name,
    ...(reachedBy !== 'email' && { landline: country.landline(dice) }),
    ...(index === 0 && { portfolio_roles: ['ADMIN'] }),
    ...title,
    ...(oneIn(2) && { unable_to_read_meters: index > 0 }),
  };
}
