import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Shell } from '../../src/cli/shell.ts';
import { ranHere } from '../cli/own-shell.ts';
import { lines, summaryOf } from '../cli/tool.ts';
import type { ChangedPlatform } from './changed-platform.ts';

/** A supplier that is Ongoing and a team, by their flags. */
export const named = ['--supplier', 'TENTACLE_ENERGY', '--team', 'MIGRATIONS'];

const everything = [
  ...named,
  ...[
    '--payloads',
    'known.json',
    '--paused-supplier',
    'PAUSED_ENERGY',
    '--complete-supplier',
    'CLOSED_ENERGY',
  ],
];

const known = {
  agreements: {},
  'payment-instruction': { vendor: 'EXAMPLE_PAY', reference: 'card-1', type: 'CARD' },
};

const checkResult = z.object({
  section: z.string(),
  sentence: z.string(),
  subject: z.string().optional(),
  outcome: z.string(),
  details: z.array(z.string()),
});

/** Runs `migrate conformance` in a directory. */
export function conformance(
  directory: string,
  { url, apiKey }: ChangedPlatform,
  args: readonly string[],
  own: Partial<Shell> = {},
) {
  return ranHere(['conformance', url, ...args], directory, { env: { MIGRATE_API_KEY: apiKey }, ...own });
}

/** Makes every check of the platform. */
export async function checked(directory: string, platform: ChangedPlatform, ...more: readonly string[]) {
  writeFileSync(join(directory, 'known.json'), JSON.stringify(known));
  const ended = await conformance(directory, platform, [...everything, ...more, '--yes', '--json']);
  const checks = lines(ended.stdout)
    .filter(({ type }) => type === 'check')
    .map((line) => checkResult.parse(line));
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return { ...ended, checks, failed, summary: summaryOf(ended.stdout) };
}
