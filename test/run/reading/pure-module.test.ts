import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fingerprintMapping } from '../../../src/run/reading/export-fingerprint.ts';
import { isPureModule } from '../../../src/run/reading/pure-module.ts';
import type { Config } from '../../../src/config/load-config.ts';

const mapping = `version: 1
module: ./rules.mjs
tables:
  accounts: { file: A.csv, key: ID }
account:
  sales_channel: { column: ID, call: channel }
`;
const channel = 'export const channel = (id) => id;\n';

test.each([
  ['a declaration', `export const pure = true;\n${channel}`, true],
  [
    'types in comments',
    `/** @type {import('x').Y} */\nexport const pure = true\n// import x\n${channel}`,
    true,
  ],
  ['none', channel, false],
  ['one in a comment', `// export const pure = true;\n${channel}`, false],
  ['further code', `import { y } from './y.mjs';\nexport const pure = true;\n${channel}`, false],
  [
    'code that is loaded later',
    `export const pure = true;\nexport const f = () => import('./y.mjs');\n`,
    false,
  ],
])('a module declares itself pure: %s', (_what, text, isPure) => {
  expect(isPureModule(text)).toBe(isPure);
});

test('rows are compared as long as a pure module is the same', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pure-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'mapping.yaml');
  writeFileSync(path, mapping);
  const printWith = async (module: string): Promise<string | undefined> => {
    writeFileSync(join(directory, 'rules.mjs'), module);
    return (await fingerprintMapping({ config: { mapping: path } as Config }))?.text;
  };
  const first = await printWith(`export const pure = true;\n${channel}`);
  expect(first).toBeDefined();
  expect(await printWith(`export const pure = true;\n${channel}`)).toBe(first);
  expect(await printWith(`export const pure = true;\n${channel} `)).not.toBe(first);
  expect(await printWith(channel)).toBeUndefined();
});
