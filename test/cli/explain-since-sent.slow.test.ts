import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { concluded, linesOfType } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { summaryOf, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
beforeEach(() => void (space = workspace()));
afterEach(() => space.dispose());

const tables = {
  'ACCOUNTS.csv': [
    'ID,NAME,LAST,MAIL,STREET,CITY,ZIP',
    '1,Ann,Lee,ann@example.com,1 High Street,Darwin,0800',
  ],
  'NOTES.csv': ['ID,TEXT', '1,first', '1,second'],
  'PAYMENTS.csv': ['ID,NO,DAY,AMOUNT,REMARK', '1,P-1,2024-03-01,10.00,cash', '1,P-2,2024-03-02,11.00,card'],
};

function write(changes: Partial<Record<keyof typeof tables, readonly string[]>> = {}): void {
  for (const [name, rows] of Object.entries({ ...tables, ...changes }))
    writeFileSync(join(space.directory, 'export', name), `${rows.join('\n')}\n`);
}

beforeEach(() => {
  mkdirSync(join(space.directory, 'export'));
  write();
  writeFileSync(join(space.directory, '.migraterc'), 'mapping: mapping.yaml\nsupplier: TENTACLE_ENERGY\n');
  writeFileSync(
    join(space.directory, 'mapping.yaml'),
    `version: 1
tables:
  accounts: { file: ACCOUNTS.csv, key: ID }
  notes: { file: NOTES.csv, key: ID }
  payments: { file: PAYMENTS.csv, key: ID }
account:
  account_type: { constant: DOMESTIC }
  billing_address: { street_address: STREET, locality: CITY, postal_code: ZIP, country: { constant: AU } }
  customers: [{ given_name: NAME, family_name: LAST, email: MAIL }]
notes: { from: notes, each: { body: TEXT } }
transactions:
  from: payments
  each: { transaction_id: NO, transaction_date: DAY, amount: AMOUNT, note: REMARK, type: { constant: PAYMENT } }
`,
  );
});

const explain = (...more: string[]) => ranHere(['explain', 'export', '1', ...more], space.directory);

describe('explain of an account that was sent', () => {
  it('marks what differs from what was sent, and nothing else', async () => {
    expect(summaryOf((await explain('--json')).stdout)).toMatchObject({ sinceSent: null });
    expect((await explain()).stdout).not.toContain('sent it');
    concluded(await ranHere(['run', 'export', '--json'], space.directory), 'run', 0);
    expect((await explain()).stdout).toContain('All of it is as run 1 sent it.');

    write({
      'ACCOUNTS.csv': [
        'ID,NAME,LAST,MAIL,STREET,CITY,ZIP',
        '1,Ann,Lee,ann@example.com,1 High Street,Palmerston,0830',
      ],
      'NOTES.csv': ['ID,TEXT', '1,first', '1,third'],
      'PAYMENTS.csv': [
        'ID,NO,DAY,AMOUNT,REMARK',
        '1,P-1,2024-03-01,10.00,cheque',
        '1,P-2,2024-03-02,11.00,card',
      ],
    });
    const { stdout } = await explain('--json');
    const marked = linesOfType(stdout, 'value').filter(({ sinceSent }) => sinceSent !== undefined);
    expect(marked.map(({ path, sinceSent }) => `${String(path)} ${String(sinceSent)}`)).toEqual([
      'billing_address.locality changed',
      'billing_address.postal_code changed',
      'notes.1.body added',
      'transactions.0.note changed',
    ]);
    expect(summaryOf(stdout)).toMatchObject({
      sinceSent: { run: 1, isAsSent: false, changed: 3, added: 1, unknown: 0, gone: 1 },
    });
    const text = (await explain()).stdout;
    expect(text).toMatch(/^\* {3}locality: Palmerston /m);
    expect(text).toMatch(/^ {4}street_address: /m);
    expect(text).toMatch(/^\+ {5}body: third /m);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'Since run 1 sent it: * differs from what was sent. + was not sent. A record that was sent is not here as it was sent: notes.',
    );
  });

  it('says of a record of which the journal shows no field that something of it differs', async () => {
    concluded(await ranHere(['run', 'export', '--json'], space.directory), 'run', 0);
    // Another account altogether: no field of it can be told from another.
    write({
      'ACCOUNTS.csv': [
        'ID,NAME,LAST,MAIL,STREET,CITY,ZIP',
        '1,Bob,Roe,bob@example.com,2 Low Street,Palmerston,0830',
      ],
    });
    const { stdout } = await explain('--json');
    const marks = linesOfType(stdout, 'value').map(({ sinceSent }) => sinceSent);
    expect(marks).toContain('unknown');
    expect((await explain()).stdout.replaceAll(/\s+/g, ' ')).toContain(
      '? Its record differs; the journal does not show in which field.',
    );
  });

  it('shows the payloads also if the journal cannot be read', async () => {
    writeFileSync(
      join(space.directory, 'broken.db'),
      'no database at all, and long enough to be read as one',
    );
    const { code, stdout, stderr } = await explain('--journal', 'broken.db');
    expect(code).toBe(0);
    expect(stdout).toContain('locality: Darwin');
    expect(stderr).toContain('What changed since it was sent is not shown: ');
  });
});
