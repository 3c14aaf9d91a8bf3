import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/load-config.ts';
import { accountStates } from '../../domain/account-state.ts';
import type { LastReconciled } from '../../report/reconciliation/last-reconciled.ts';
import { renameOver } from '../../domain/rename-over.ts';

const totals = z.object({ source: z.string().nullable(), acknowledged: z.string(), unconfirmed: z.string() });
const record = z.object({
  journal: z.string(),
  platform: z.string(),
  supplier: z.string(),
  at: z.number(),
  export: z.string().nullable(),
  differences: z.number(),
  byCode: z.record(z.string(), z.number()).optional(),
  money: z.record(z.string(), totals),
  unread: z.number().optional(),
  missing: z.array(
    z.object({
      state: z.enum(accountStates).nullable(),
      who: z.enum(['data', 'platform', 'us']),
      accounts: z.number(),
      money: z.record(z.string(), z.string()),
    }),
  ),
});
type Kept = z.infer<typeof record>;

/** More suppliers of more journals are forgotten, the oldest first. */
const most = 500;

type Place = Pick<Config, 'workDirectory' | 'journal'>;

/** What the last comparison of each supplier of this journal came to, as this machine made it; the newest first. */
export async function keptReconciled(config: Place): Promise<readonly LastReconciled[]> {
  const own = nameOf(config.journal);
  return (await keptIn(fileOf(config))).filter(({ journal }) => journal === own);
}

/** Keeps it. If that fails, a report only says less. */
export async function keepReconciled(config: Place, last: LastReconciled): Promise<void> {
  const file = fileOf(config);
  const journal = nameOf(config.journal);
  const others = (await keptIn(file)).filter(
    (one) => one.journal !== journal || one.platform !== last.platform || one.supplier !== last.supplier,
  );
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { mode: 0o700 }).catch(() => undefined);
    await writeFile(draft, JSON.stringify([{ journal, ...last }, ...others.slice(0, most - 1)]), {
      mode: 0o600,
    });
    renameOver(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function keptIn(file: string): Promise<readonly Kept[]> {
  try {
    return z.array(record).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return [];
  }
}

/** In a directory of the tool's own, even if the journal is among other files. */
function fileOf({ workDirectory }: Place): string {
  const own = '.migrate';
  const directory = basename(workDirectory) === own ? workDirectory : join(workDirectory, own);
  return join(directory, 'reconciled.json');
}

/** An address may be one that others should not read. */
function nameOf(journal: string): string {
  return createHash('sha256').update(journal).digest('hex').slice(0, 32);
}
