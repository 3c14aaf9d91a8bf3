import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateExport, type Problem } from '../../src/api/index.ts';
import { project, workspace } from '../cli/tool.ts';

test('an export is checked with every problem told, and no journal is made', async () => {
  const own = workspace();
  const { directory } = own;
  try {
    const told: Problem[] = [];
    const ending = await validateExport({
      export: project('fixtures/faulty/export'),
      cwd: directory,
      onEvent: (event) => {
        if (event.type === 'problem') told.push(event.problem);
      },
    });
    expect(ending).toMatchObject({ accounts: 64, valid: 34, exit: 3, errors: [] });
    expect(told).toHaveLength(ending.problems.problems);
    expect(told.find(({ code }) => code === 'missing_import_supplier')?.cell).toMatchObject({
      file: 'accounts.csv',
      column: 'import_supplier',
    });
    expect(existsSync(join(directory, '.migrate'))).toBe(false);
  } finally {
    own.dispose();
  }
});
