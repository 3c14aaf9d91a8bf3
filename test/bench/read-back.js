// Reading accounts back: differences that are planted in what the platform holds must all be named, and nothing else; the peak of
// memory against a tenth of the accounts, and what an account costs.
import Database from 'better-sqlite3';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from './processes.js';
import { kinds, plant } from './read-back-plants.js';

export async function readBack({ accounts, directory: root }) {
  const small = await readBackOf(Math.max(kinds * 2, Math.round(accounts / 10)), root);
  const large = await readBackOf(Math.max(kinds * 2, accounts), root);
  const { requests, points, read } = large.summary.readBack;
  return [
    {
      measure: `read back: planted differences named, and nothing else, of ${kinds} kinds`,
      against: 'planted',
      unit: 'accounts',
      ours: large.named,
      theirs: large.planted,
      ratio: large.named / large.planted,
      reach: '1',
      isReached: large.named === large.planted,
    },
    {
      measure: `read back: peak memory at ${large.accounts} accounts`,
      against: `at ${small.accounts}`,
      unit: 'MB',
      ours: large.peakMb,
      theirs: small.peakMb,
      ratio: large.peakMb / small.peakMb,
      reach: '<= 1.15, < 300 MB',
      isReached: large.peakMb / small.peakMb <= 1.15 && large.peakMb < 300,
    },
    ...[
      ['requests', requests],
      ['points', points],
      ['ms', large.seconds * 1000],
    ].map(([unit, count]) => ({
      measure: `read back: ${unit} of an account`,
      unit,
      ours: count / read,
      reach: '',
      isReached: true,
    })),
  ];
}

/** Throws if anything but what was planted is told. */
async function readBackOf(accounts, root) {
  const cwd = mkdtempSync(join(root, 'read-back-'));
  await tool(['generate', 'book', '--accounts', String(accounts), '--seed', '46'], { cwd });
  await tool(['run', 'book'], { cwd });
  const db = new Database(join(cwd, '.migrate/platform.db'));
  const planted = db.transaction(() => plant(db, Math.min(50, Math.floor(accounts / 2))))();
  db.close();
  const read = await tool(['reconcile', 'book', '--read-back', 'all'], { cwd, codes: [8] });
  const told = new Map();
  for (const line of read.stdout.split('\n').filter((text) => text.startsWith('{"type":"difference"'))) {
    const { account, field, kind } = JSON.parse(line);
    told.set(account, [...(told.get(account) ?? []), `${field} ${kind}`].sort());
  }
  const wrong = [...new Set([...planted.keys(), ...told.keys()])].flatMap((account) => {
    const [must, is] = [planted, told].map((of) => (of.get(account) ?? ['nothing']).join(', '));
    return must === is ? [] : [`${account}: ${must}; told: ${is}`];
  });
  if (wrong.length > 0) throw new Error(`not what was planted:\n${wrong.join('\n')}`);
  const { summary, peakMb, seconds } = read;
  if (summary.readBack.read !== accounts || summary.readBack.differ !== planted.size)
    throw new Error(`read or counted wrongly: ${JSON.stringify(summary.readBack)}`);
  return { accounts, summary, peakMb, seconds, planted: planted.size, named: told.size };
}
