import type { Bundle, Recognise, TableSpec } from '../../../src/source/export.ts';
import type { KeptIndexes } from '../../../src/source/kept-indexes.ts';
import { openExport } from '../../../src/source/open-export.ts';
import type { OpenedExport } from '../../../src/source/opened-export.ts';
import { expectSameRanges } from '../temporary-export.ts';

/** Everything that a reading gives, where the journal says that accounts with these fingerprints are unchanged. */
export async function night(
  root: string,
  specs: readonly TableSpec[],
  journal: ReadonlyMap<string, string>,
  known: { readonly kept?: KeptIndexes } = {},
  check: (opened: OpenedExport) => Promise<void> = (opened) => sameRanges(opened, specs),
) {
  const prints = new Map<string, string>();
  const recognise: Recognise = (asked) =>
    Promise.resolve(
      asked.map(({ account, print }) => {
        prints.set(account, print);
        const known = journal.get(account);
        return known === print ? 'unchanged' : known === undefined ? 'unknown' : 'changed';
      }),
    );
  const opened = await openExport(root, specs, { recognise, startEach: 20, ...known });
  if ('problems' in opened) return { prints, problems: opened.problems };
  const given: unknown[] = [];
  for await (const bundle of opened.bundlesSince(recognise)) {
    const { account, rows, problems } = bundle;
    const records = specs.map(({ name }) => bundle.records(name).map((one) => [one.line, { ...one.fields }]));
    given.push({ account, rows, problems, records });
  }
  await check(opened);
  opened.close();
  const { accounts, ignoredRows, faults, counts, isSorted } = opened;
  return { accounts, ignoredRows, faults, counts, isSorted, given, prints };
}

async function sameRanges(opened: OpenedExport, specs: readonly TableSpec[]): Promise<void> {
  const bundles = new Map<string, Bundle>();
  for await (const bundle of opened.bundles()) bundles.set(bundle.account, bundle);
  await expectSameRanges(opened, bundles, specs);
}
