import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { project, workspace } from '../cli/tool.ts';

const own = workspace();
const { directory } = own;
afterAll(() => own.dispose());

const examples = [...readFileSync(project('docs/library.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code = '']) => code,
);

/** A project of a user's own, with the package as it is built. */
function installed(): void {
  mkdirSync(join(directory, 'node_modules/@types'), { recursive: true });
  symlinkSync(project('.'), join(directory, 'node_modules/account-migrate'));
  symlinkSync(project('node_modules/@types/node'), join(directory, 'node_modules/@types/node'));
  cpSync(project('fixtures/interface'), join(directory, 'export'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, types: ['node'] },
      files: examples.map((_, at) => `example-${at}.ts`),
    }),
  );
  for (const [at, code] of examples.entries()) writeFileSync(join(directory, `example-${at}.ts`), code);
}

test("the module guide's examples pass the type checker of a user, and the first one runs", () => {
  expect(examples).toHaveLength(3);
  installed();
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  run(project('node_modules/typescript/bin/tsc'), '--project', directory);
  expect(run('example-0.js')).toBe('50 of 50 accounts are there\n');
});
