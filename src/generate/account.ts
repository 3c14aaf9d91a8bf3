import { ExactNumber, type JsonObject } from '../domain/json.ts';
import { startAccountContext, type AccountContext, type AccountSettings } from './account-context.ts';
import { lastDay } from './calendar.ts';
import { countries, type Country } from './countries.ts';
import { billingDocumentsOf, historicalAgreementsOf, notesOf, statementsOf } from './history.ts';
import { address, supplyAddressesOf } from './supply.ts';
import { amountText, ledgersOf, postings, transactionsOf } from './transactions.ts';

/** The files of an export in the interface's own shape; each record is the request payload of an endpoint. */
export const recordFiles = [
  'accounts',
  'notes',
  'transactions',
  'historical_agreements',
  'historical_billing_documents',
  'historical_statements',
  'payment_instructions',
] as const;

/** All of one account's payloads, by the file that they go to. */
export interface AccountRecords extends Readonly<
  Record<(typeof recordFiles)[number], readonly JsonObject[]>
> {
  /** External account number. */
  readonly account: string;
}

/** Makes one synthetic account (interface, sections 2.3 and 2.6 to 2.11); the same arguments give the same account. */
export function makeAccount(account: string, position: number, settings: AccountSettings): AccountRecords {
  const context = startAccountContext(account, position, settings);
  const identity = { import_supplier: settings.supplier, external_account_number: account };
  const identified = (payloads: readonly JsonObject[]) => payloads.map((more) => ({ ...identity, ...more }));
  const arrayOf = (name: string, items: JsonObject[]) =>
    items.length === 0 ? [] : [{ ...identity, [name]: items }];
  return {
    account,
    accounts: [accountPayload(context, identity)],
    historical_agreements: identified(historicalAgreementsOf(context)),
    historical_billing_documents: identified(billingDocumentsOf(context)),
    historical_statements: arrayOf('statements', statementsOf(context)),
    payment_instructions: identified(paymentInstructionsOf(context)),
    notes: arrayOf('notes', notesOf(context)),
    transactions: arrayOf('transactions', laterTransactionsOf(context)),
  };
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

/** Transactions that were made while the account was on its way; one account in ten has an older one among them. */
function laterTransactionsOf(context: AccountContext): JsonObject[] {
  const { closing, random, oneIn, position, settings } = context;
  const usual = position % 5 === 4 ? 0 : random.between(1, 6);
  const count = settings.transactionsPerAccount ?? usual;
  return transactionsOf(postings(context, count, oneIn(10) ? closing - 10 : closing + 1, lastDay));
}

function paymentInstructionsOf({ random, position }: AccountContext): JsonObject[] {
  if (position % 6 === 5) return [];
  const type = random.pick(['CARD', 'DIRECT_DEBIT']);
  const number = String(position + 1).padStart(6, '0');
  return [{ vendor: 'EXAMPLE_PAY', reference: `${type.toLowerCase().replace('_', '-')}-${number}`, type }];
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
