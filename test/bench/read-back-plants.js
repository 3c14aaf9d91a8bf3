// Differences that are planted in what the embedded platform holds, each with what reading it back must tell.

/** The rows that an account's difference is planted in, and `field` and `kind` of the line that names it. */
const plants = [
  {
    title: 'an amount',
    table: 'posted_transaction',
    tells: ['transactions.amount', 'amount'],
    change: (data) => ({ ...data, amount: `1${data.amount}` }),
  },
  {
    title: 'a sign',
    table: 'posted_transaction',
    where: ({ type }) => type === 'CHARGE' || type === 'CREDIT',
    tells: ['transactions.amount', 'sign'],
    change: (data) => ({ ...data, type: data.type === 'CHARGE' ? 'CREDIT' : 'CHARGE' }),
  },
  {
    title: 'a type',
    table: 'posted_transaction',
    where: ({ type }) => type === 'CREDIT',
    tells: ['transactions.type', 'type'],
    change: (data) => ({ ...data, type: 'PAYMENT' }),
  },
  {
    title: 'a moved date',
    table: 'posted_transaction',
    // The answer said nothing of it: those that the platform moved are another matter.
    where: ({ transaction_date: date }) => date < '2024-06-01',
    tells: ['transactions.date', 'moved_date'],
    change: (data) => ({ ...data, transaction_date: '2015-03-04' }),
  },
  {
    title: 'a lost transaction',
    table: 'posted_transaction',
    tells: ['transactions', 'missing'],
    lose: true,
  },
  {
    title: 'a transaction twice',
    table: 'posted_transaction',
    tells: ['transactions', 'doubled'],
    copy: 'transaction_id',
  },
  {
    title: 'a transaction that nobody sent',
    table: 'posted_transaction',
    tells: ['transactions', 'extra'],
    copy: 'transaction_id',
    change: (data) => ({ ...data, transaction_date: '2014-02-03', amount: '98765.43' }),
  },
  { title: 'a lost note', table: 'note', tells: ['notes', 'missing'], lose: true },
  { title: 'a note twice', table: 'note', tells: ['notes', 'doubled'], copy: 'body' },
  {
    title: "a note's text",
    table: 'note',
    where: ({ body, created_at: at }) => body !== undefined && at !== undefined,
    tells: ['notes.body', 'value'],
    change: (data) => ({ ...data, body: `${data.body}!` }),
  },
  {
    title: 'a note that is pinned',
    table: 'note',
    // Whether it is still pinned then, nobody can say.
    where: ({ unpin_at: until }) => until === undefined,
    tells: ['notes.pinned', 'value'],
    change: (data) => ({ ...data, is_pinned: data.is_pinned !== true }),
  },
  { title: 'a lost statement', table: 'statement', tells: ['bills', 'missing'], lose: true },
  {
    title: "another account's statement",
    table: 'statement',
    tells: ['bills', 'extra'],
    copy: 'statement_id',
    change: (data) => ({
      ...data,
      bill_period_from_date: '2016-01-01',
      bill_period_to_date: '2016-01-31',
      issued_date: '2016-02-03',
    }),
  },
  {
    title: "a bill's day of issue",
    table: 'statement',
    where: ({ issued_date: date }) => date !== undefined,
    tells: ['bills.issued', 'value'],
    change: (data) => ({ ...data, issued_date: '2016-02-03' }),
  },
  { title: 'an agreement twice', table: 'agreement', tells: ['agreements', 'doubled'], copy: 'hash' },
  {
    title: "an agreement's product",
    table: 'agreement',
    where: ({ agreement }) => agreement?.tariff_code !== undefined,
    tells: ['agreements.product', 'value'],
    change: (data) => ({ ...data, agreement: { ...data.agreement, tariff_code: 'OTHER-1' } }),
  },
  {
    title: 'a lost payment instruction',
    table: 'payment_instruction',
    tells: ['paymentInstructions', 'missing'],
    lose: true,
  },
  {
    title: "a payment instruction's vendor",
    table: 'payment_instruction',
    tells: ['paymentInstructions.vendor', 'value'],
    change: (data) => ({ ...data, vendor: 'OTHER' }),
  },
  {
    title: 'lost billing documents',
    table: 'billing_import',
    where: ({ historical_billing_documents: all }) => all?.length === 1,
    tells: ['bills', 'missing'],
    lose: true,
    // Their transactions are lost with them.
    also: ({ historical_billing_documents: [document], additional_historical_transactions: more = [] }) =>
      [...(document.transactions ?? []), ...more].map(() => ['transactions', 'missing']),
  },
  {
    title: 'metadata',
    table: 'payload',
    where: ({ metadata }) => metadata?.length > 0,
    tells: ['metadata.value', 'value'],
    set: ['$.metadata[0].value', '{"changed":true}'],
  },
  {
    title: 'a balance',
    table: 'payload',
    where: ({ transfer_balance: balance, ledgers }) => balance !== undefined && ledgers?.length > 0,
    tells: ['balance', 'amount'],
    set: ['$.transfer_balance', '"1234567.89"'],
  },
  {
    title: "a ledger's balance",
    table: 'payload',
    where: ({ transfer_balance: balance, ledgers }) => balance !== undefined && ledgers?.length === 1,
    tells: ['ledgers.balance', 'amount'],
    set: ['$.ledgers[0].ledger_balance', '7654321.09'],
  },
];

export const kinds = plants.length;

/**
 * Plants so many differences in the platform's state, each in another account, the kinds in turn. Gives for each account the lines
 * that must name it, as `field kind`, sorted.
 */
export function plant(db, count) {
  const accounts = db
    .prepare(
      'SELECT number, process_id AS process, external FROM account JOIN import_process ON id = process_id ORDER BY external',
    )
    .all();
  // Anywhere in the book, and never the same account twice.
  const step = Math.max(1, Math.floor(accounts.length / (count * 2)));
  const expected = new Map();
  let at = 0;
  for (let made = 0; made < count; made += 1) {
    const kind = plants[made % plants.length];
    for (;;) {
      const account = accounts[at % accounts.length];
      at += step;
      if (at > accounts.length * (step + 1)) throw new Error(`no account is left for ${kind.title}`);
      if (expected.has(account.external)) {
        at += 1;
        continue;
      }
      const told = plantIn(db, kind, account);
      if (told === undefined) continue;
      expected.set(account.external, told.map((one) => one.join(' ')).sort());
      break;
    }
  }
  return expected;
}

/** What must be told; undefined if the account has no row for it. */
function plantIn(db, { table, where = () => true, tells, lose = false, copy, change, set, also }, account) {
  const [column, id] = table === 'payload' ? ['process_id', account.process] : ['account', account.number];
  const rows = db.prepare(`SELECT rowid AS row, * FROM ${table} WHERE ${column} = ? ORDER BY rowid`).all(id);
  const row = rows.find(({ data }) => where(JSON.parse(data)));
  if (row === undefined) return undefined;
  const data = JSON.parse(row.data);
  const next = JSON.stringify(change === undefined ? data : change(data));
  // Payloads have numbers that a double would change.
  if (set !== undefined)
    db.prepare(`UPDATE ${table} SET data = json_set(data, ?, json(?)) WHERE rowid = ?`).run(...set, row.row);
  else if (lose) db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(row.row);
  else if (copy === undefined) db.prepare(`UPDATE ${table} SET data = ? WHERE rowid = ?`).run(next, row.row);
  else {
    const values = Object.fromEntries(
      Object.entries(row).filter(([name]) => name !== 'row' && name !== 'id'),
    );
    const names = Object.keys(values);
    db.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    ).run({ ...values, data: next, [copy]: `${values[copy]}-again` });
  }
  return [tells, ...(also?.(data) ?? [])];
}
