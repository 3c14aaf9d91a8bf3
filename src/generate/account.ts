import { ExactNumber, type JsonObject } from '../domain/json.ts';
import { extraStep, extraStepNames, extraSteps, type SectionName } from '../domain/steps.ts';
import { startAccountContext, type AccountContext, type AccountSettings } from './account-context.ts';
import { countries, type Country } from './countries.ts';
import { extraRecords } from './extra-records.ts';
import { address, supplyAddressesOf } from './supply.ts';
import { amountText, ledgersOf } from './transactions.ts';

/** The files of an export in the interface's own shape; each record is the request payload of an endpoint. */
export type RecordFileName = 'accounts' | SectionName;

export const recordFiles: readonly RecordFileName[] = [
  'accounts',
  ...extraStepNames.map((step) => extraSteps[step].section),
];

/** All of one account's payloads, by the file that they go to. */
export interface AccountRecords extends Readonly<Record<RecordFileName, readonly JsonObject[]>> {
  /** External account number. */
  readonly account: string;
}

/** Makes one synthetic account (interface, sections 2.3 and 2.6 to 2.11); the same arguments give the same account. */
export function makeAccount(account: string, position: number, settings: AccountSettings): AccountRecords {
  const context = startAccountContext(account, position, settings);
  const identity = { import_supplier: settings.supplier, external_account_number: account };
  const accounts = [accountPayload(context, identity)];
  const extras: Partial<Record<SectionName, readonly JsonObject[]>> = {};
  for (const [step, { make }] of extraRecords) {
    const { section, array } = extraStep(step);
    const made = make(context);
    if (array === undefined) extras[section] = made.map((more) => ({ ...identity, ...more }));
    else extras[section] = made.length === 0 ? [] : [{ ...identity, [array]: made }];
  }
  return { account, accounts, ...(extras as Record<SectionName, readonly JsonObject[]>) };
}

/** The account payload, its fields in the interface's order (section 2.3). */
function accountPayload(context: AccountContext, identity: JsonObject): JsonObject {
  const { random, oneIn, position } = context;
  const country = oneIn(2) ? countries[0] : random.pick(countries);
  const unknownOccupier = position % 10 === 7;
  const supplyAddresses = supplyAddressesOf(context, country);
  const { ledgers, transferBalance } = ledgersOf(context);
  return {
    ...(oneIn(2) && { account_billing_options: { use_industry_billing: oneIn(4) } }),
    account_type: position % 9 === 4 ? 'BUSINESS' : 'DOMESTIC',
    billing_address: address(context, country, random.between(1, 200)),
    communication_preference: oneIn(3) ? 'ONLINE' : 'PRINT',
    ...(!unknownOccupier && { customers: customersOf(context, country) }),
    ...identity,
    ledgers,
    ...(oneIn(2) && { metadata: metadataOf(context) }),
    sales_channel: 'EVENTS',
    sales_subchannel: 'MIGRATION',
    ...(supplyAddresses.length > 0 && { supply_addresses: supplyAddresses }),
    transfer_balance: amountText(transferBalance),
    unknown_occupier: unknownOccupier,
  };
}

/** Objects of any shape; one holds a number that no float can (interface, section 2.3). */
function metadataOf({ account, random, oneIn }: AccountContext): JsonObject[] {
  const legacy = { key: 'legacy', value: { id: account.toLowerCase(), tags: ['migrated', 'grün'] } };
  if (!oneIn(4)) return [legacy];
  const barcode = new ExactNumber(`9${random.digits(9)}${random.digits(9)}1`);
  return [legacy, { key: 'meter', value: { barcode, removed: null, seals: { front: true, back: 2 } } }];
}

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
function customersOf(context: AccountContext, country: Country): JsonObject[] {
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
