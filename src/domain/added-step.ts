/** What becomes of an item whose request got no answer: sent again, asked for at `ask`, or left to a person. */
export const lostAnswers = ['person', 'repeat', 'ask'] as const;

/**
 * A step that is none of the interface's: a profile's `steps` names it, or a contract has it (`publishedSteps`). Its items belong to a
 * whole book, such as products, and are sent before the accounts, or after them.
 */
export interface AddedStep {
  /** Names it in commands, in messages and in the journal. */
  readonly name: string;
  /** Where an item is sent, with POST; the tenancy's contract describes it. */
  readonly path: string;
  /** Where an item is checked first, with POST; absent: nowhere. */
  readonly check?: string;
  /** The table of the export that has the items: the name of its file, without the extension. */
  readonly table: string;
  /** The field, at the top of an item, that distinguishes it from the others. */
  readonly identity: string;
  readonly whenLost: (typeof lostAnswers)[number];
  /** Where it is asked whether the platform has an item, with GET; `{identity}` stands for the value of that field. */
  readonly ask?: string;
  /** How accounts name the items that they need; absent: every account needs all items, unless they are sent after the accounts. */
  readonly named?: NamedItems;
  /** Whether its items are sent after the accounts. */
  readonly after?: 'accounts';
  /** Where an item has the external numbers of accounts that have to be completed before it: a dotted path, through arrays. */
  readonly accounts?: string;
  /** Statuses of an answer after which the item is sent again as it is. */
  readonly repeatAfter?: readonly number[];
}

/** Names by which accounts refer to items. */
export interface NamedItems {
  /** Where an item has its names: a dotted path, through arrays. */
  readonly item: string;
  /** The field of the account's payload that has names, a text or a list of texts, wherever it is. */
  readonly account: string;
}

/** The published steps, by their names. */
export const businesses = 'businesses';
export const businessPayments = 'business-payment-instructions';

/** Steps that published contracts have: a run takes them where the contract has the path, and the export the table. */
export const publishedSteps: readonly AddedStep[] = [
  {
    name: businesses,
    path: '/v1/data-import/business/',
    table: 'businesses',
    identity: 'external_business_identifier',
    // No endpoint tells of a business afterwards.
    whenLost: 'person',
    named: { item: 'business.business_contracts.identifier', account: 'business_contract_identifiers' },
  },
  {
    name: businessPayments,
    path: '/v1/data-import/business-payment-instruction/create/',
    table: 'business_payment_instructions',
    identity: 'external_business_identifier',
    // Nor of its payment instruction.
    whenLost: 'person',
    after: 'accounts',
    accounts: 'accounts.external_account_number',
    repeatAfter: [500],
  },
];

/** The steps of a profile, then the published ones that it does not name itself. */
export function withPublished(steps: readonly AddedStep[] = []): readonly AddedStep[] {
  return [...steps, ...publishedSteps.filter(({ name }) => steps.every((step) => step.name !== name))];
}

/** The field of an `ask` path that stands for what identifies the item. */
export const identityParameter = '{identity}';

/** The name under which a run, or a ruling, holds the items of these steps, beside those of import suppliers. */
export const heldAs = '*steps*';
