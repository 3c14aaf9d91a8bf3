import { numberText } from '../domain/json.ts';
import type { Problem } from '../domain/problem.ts';
import type { Lookups } from '../mapping/plan.ts';
import type { LookupSpec } from '../mapping/spec.ts';
import type { Export } from '../source/export.ts';
import { openExport } from '../source/open-export.ts';

/** Reads the code tables of a mapping, whose files lie in `directory`; or what is wrong with them. */
export async function readLookups(
  directory: string,
  specs: readonly LookupSpec[],
): Promise<{ readonly lookups: Lookups } | { readonly problems: readonly Problem[] }> {
  const lookups = new Map<string, ReadonlyMap<string, string>>();
  const problems: Problem[] = [];
  for (const spec of specs) {
    // A code table is read as an export of one table, of which each code is an account.
    const { name, file, key, origin, value: _value, ...format } = spec;
    const opened = await openExport(directory, [{ name, file, key, role: 'accounts', ...format }], {
      files: [file],
    });
    if ('problems' in opened)
      problems.push(...opened.problems.map((problem) => ({ cell: origin, ...problem })));
    else lookups.set(name, await codesOf(opened, spec, problems));
  }
  return problems.length > 0 ? { problems } : { lookups };
}

async function codesOf(
  opened: Export,
  { name, file, value, origin }: LookupSpec,
  problems: Problem[],
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  try {
    problems.push(...opened.faults);
    if (opened.tables.some(({ columns }) => columns?.includes(value) === false))
      problems.push({
        account: null,
        code: 'unknown_column',
        path: origin.column,
        detail: `${file} has no column ${value}. Correct the mapping's value.`,
        severity: 'error',
        cell: origin,
      });
    for await (const bundle of opened.bundles()) {
      problems.push(...bundle.problems);
      const meaning = numberText(bundle.records(name)[0]?.fields[value]);
      if (meaning !== undefined && meaning !== '') codes.set(bundle.account, meaning);
    }
    return codes;
  } finally {
    opened.close();
  }
}
