import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountPlan } from '../../src/mapping/plan.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { openExport } from '../../src/source/open-export.ts';

test('a mapping reads columns in another case, stated escapes and comments, and tables in parts', async () => {
  const root = mkdtempSync(join(tmpdir(), 'varieties-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'KUNDEN_1.csv.gz'), gzipSync('# of 1994\nkundennr;plz\n#0016;x\n0017;01069\n'));
  writeFileSync(join(root, 'KUNDEN_2.csv'), 'kundennr;plz\n0018;"0 \\"1"\n');
  const mapping = readMapping(
    'mapping.yaml',
    `
version: 1
format: { escape: '\\', comment: '#' }
tables:
  accounts: { file: KUNDEN.csv, key: KundenNr }
account:
  import_supplier: { constant: X }
  billing_address: { postal_code: PLZ }
`,
    {},
  );
  if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems));
  const opened = await openExport(root, mapping.tables);
  if ('problems' in opened) throw new Error(JSON.stringify(opened.problems));
  const bound = mapping.bind(opened.tables, new Map());
  if ('problems' in bound) throw new Error(JSON.stringify(bound.problems));
  const plans: AccountPlan[] = [];
  for await (const bundle of opened.bundles()) plans.push(bound(bundle));
  opened.close();
  expect(plans.map(({ payload }) => payload)).toMatchObject([
    { external_account_number: '0017', billing_address: { postal_code: '01069' } },
    { external_account_number: '0018', billing_address: { postal_code: '0 "1' } },
  ]);
});
