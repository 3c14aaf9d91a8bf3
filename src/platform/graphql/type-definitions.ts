/**
 * The embedded platform's GraphQL schema: the token mutation (section 5), and the queries by which published schemas let an
 * account be read back. Amounts are whole numbers of the currency's minor unit.
 */
export const typeDefinitions = /* GraphQL */ `
  scalar DateTime
  scalar Date
  "A whole number of any size."
  scalar BigInt
  "JSON as text."
  scalar JSONString
  scalar GenericScalar

  type Query {
    "The account with this number; null if there is none."
    account(accountNumber: String!): AccountType
    rateLimitInfo: RateLimitInfo
  }

  type Mutation {
    obtainKrakenToken(input: ObtainJSONWebTokenInput!): ObtainKrakenJSONWebToken
  }

  input ObtainJSONWebTokenInput {
    APIKey: String
    refreshToken: String
  }

  type ObtainKrakenJSONWebToken {
    token: String!
    refreshToken: String
    refreshExpiresIn: Int
    payload: GenericScalar!
  }

  type RateLimitInfo {
    pointsAllowanceRateLimit: PointsAllowance
  }

  type PointsAllowance {
    limit: Int
    remainingPoints: Int
    ttl: Int
    isBlocked: Boolean
  }

  type AccountType {
    number: String!
    status: String
    "Credit is positive."
    balance: BigInt
    overdueBalance: BigInt
    createdAt: DateTime
    accountType: String
    billingName: String
    billingEmail: String
    billingAddressLine1: String
    billingAddressLine2: String
    billingAddressLine3: String
    billingPostcode: String
    metadata: [Metadata!]
    ledgers: [LedgerType!]
    notes: [AccountNote!]
    agreements: [Agreement!]
    properties: [PropertyType!]
    transactions(
      first: Int
      after: String
      fromDate: Date
      toDate: Date
      ledgerNumber: String
      orderBy: String
    ): TransactionConnection
    bills(
      first: Int
      after: String
      includeHistoricStatements: Boolean = true
      includeBillsWithoutPDF: Boolean = false
      fromDate: Date
      toDate: Date
    ): BillConnection
    directDebitInstructions(first: Int, after: String): DirectDebitInstructionConnection
    paymentMethods(first: Int, after: String): PaymentMethodConnection
  }

  type Metadata {
    key: String!
    value: JSONString
  }

  type LedgerType {
    number: String
    name: String
    ledgerType: String
    balance: BigInt
    transactions(first: Int, after: String): TransactionConnection
  }

  type AccountNote {
    id: ID!
    body: String
    isPinned: Boolean
    createdAt: DateTime
    unpinAt: DateTime
  }

  type Agreement {
    id: ID!
    validFrom: DateTime
    validTo: DateTime
    product: Product
    isRevoked: Boolean
  }

  type Product {
    code: String!
  }

  type PropertyType {
    id: ID!
    address: String
    postcode: String
    supplyPoints: [SupplyPoint!]
  }

  type SupplyPoint {
    identifier: String
    agreements: [Agreement!]
  }

  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  interface TransactionType {
    id: ID!
    postedDate: Date
    createdAt: DateTime
    "Unsigned: the type says whether it adds or subtracts."
    amount: BigInt
    title: String
    note: String
    reasonCode: String
    isReversed: Boolean
    billingDocumentIdentifier: String
  }

  ${['Charge', 'Credit', 'Payment', 'Refund']
    .map(
      (name) => `
  type ${name} implements TransactionType {
    id: ID!
    postedDate: Date
    createdAt: DateTime
    amount: BigInt
    title: String
    note: String
    reasonCode: String
    isReversed: Boolean
    billingDocumentIdentifier: String
  }`,
    )
    .join('\n')}

  interface BillInterface {
    id: ID!
    billType: String
    fromDate: Date
    toDate: Date
    issuedDate: Date
    isExternalBill: Boolean
  }

  type StatementType implements BillInterface {
    id: ID!
    billType: String
    fromDate: Date
    toDate: Date
    issuedDate: Date
    isExternalBill: Boolean
    openingBalance: BigInt
    closingBalance: BigInt
  }

  type DirectDebitInstruction {
    id: ID!
    status: String
    instructionType: String
    validFrom: DateTime
  }

  type PaymentMethod {
    id: ID!
    status: String
    instructionType: String
    vendor: String
    validFrom: DateTime
  }

  ${[
    ['Transaction', 'TransactionType'],
    ['Bill', 'BillInterface'],
    ['DirectDebitInstruction', 'DirectDebitInstruction'],
    ['PaymentMethod', 'PaymentMethod'],
  ]
    .map(
      ([name, node]) => `
  type ${name}Connection {
    pageInfo: PageInfo!
    edges: [${name}Edge!]!
    edgeCount: Int!
    totalCount: Int!
  }

  type ${name}Edge {
    node: ${node}!
    cursor: String!
  }`,
    )
    .join('\n')}
`;
