import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ranHere } from '../cli/own-shell.ts';
import { project, workspace } from '../cli/tool.ts';
import { ownContract } from '../contract/tenancy/own-contract.ts';

const guide = readFileSync(project('docs/tenancies.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );

it('the guide to tenancies goes from the contract to the first rehearsal as it says', async () => {
  const space = workspace();
  try {
    writeFileSync(
      join(space.directory, 'tenancy.openapi.yaml'),
      ownContract.replace(
        'import_supplier: { type: string }\n        external',
        'import_supplier: { type: string, enum: [MARSH_POWER] }\n        external',
      ),
    );
    writeFileSync(join(space.directory, '.migraterc'), blocks('yaml')[0] ?? '');
    const commands = blocks('sh').flatMap((text) => [...text.matchAll(/npx migrate (.*)/g)]);
    const ended: string[] = [];
    for (const [, words = ''] of commands) {
      const { code, stderr } = await ranHere(words.split(' '), space.directory);
      ended.push(code === 0 ? words : `${words} ended with ${code}: ${stderr}`);
    }
    expect(ended).toEqual([
      'contract rules',
      'contract schema --out mapping.schema.json',
      'generate ./export',
      'validate ./export',
      'run ./export',
      'reconcile ./export',
    ]);
  } finally {
    space.dispose();
  }
});
