// An account of about 2.6 KB with two customers, a ledger and two supply points.
export function benchAccount(number) {
  const address = (at) => ({
    street_address: `${at} Sample Street`,
    locality: 'Sampleton',
    administrative_area: 'Shireland',
    postal_code: 'SW1A 1AA',
    country: 'GB',
  });
  const transaction = (at, amount, type) => ({
    transaction_id: `${number}-${at}`,
    transaction_date: `2024-02-${String(10 + at)}`,
    amount,
    type,
    reason: type === 'CHARGE' ? 'IMPORTED_CHARGE' : 'ACCOUNT_CHARGE_PAYMENT',
    ...(type === 'PAYMENT' ? { payment_type: 'DD_REGULAR_COLLECTION', reference: `REF-${at}` } : {}),
    display_note: 'Carried over from the system before',
  });
  const supplyPoint = (at) => ({
    identifier: `12000000${at}${number}`,
    supply_type: 'ELECTRICITY',
    supply_start_date: '2020-01-01',
    last_billed_to_date: '2024-01-31',
    load_zone: 'NORTH',
    agreements: [{ effective_from: '2020-01-01', tariff_code: `STANDARD-${at}` }],
  });
  return {
    account_billing_options: { use_industry_billing: false },
    account_type: 'DOMESTIC',
    billing_address: address(1),
    communication_preference: 'ONLINE',
    customers: [1, 2].map((at) => ({
      email: `sample${at}@example.com`,
      family_name: 'Person',
      given_name: `Sample${at}`,
      landline: `+4420794${60_000 + (checksum(number) % 9_999)}`,
      portfolio_roles: ['ADMIN'],
      title: 'Dr',
      unable_to_read_meters: false,
    })),
    external_account_number: number,
    import_supplier: 'TENTACLE_ENERGY',
    ledgers: [
      {
        ledger_code: 'ENERGY',
        last_statement_balance: 10.5,
        last_statement_closing_date: '2024-01-31',
        ledger_balance: 15.25,
        current_statement_transactions: [
          transaction(1, '40.25', 'CHARGE'),
          transaction(2, '45.00', 'PAYMENT'),
        ],
      },
    ],
    metadata: [{ key: 'origin', value: { system: 'legacy', batch: 7 } }],
    sales_channel: 'EVENTS',
    sales_subchannel: 'MIGRATION',
    supply_addresses: [2, 3].map((at) => ({
      customer_at_supply_address_from_date: '2020-01-01',
      supply_address: address(at),
      supply_points: [supplyPoint(at)],
    })),
    transfer_balance: '15.25',
    unknown_occupier: false,
  };
}

/** Any number between accounts that differ, so that no phone number is met twice in a row. */
function checksum(text) {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return sum;
}
