import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { examineSecretFiles } from '../../src/cli/secret-files.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

it('on Windows, doctor tells no mode of a secret file, and no command that is not there', () => {
  const directory = temporaryDirectory('secret files-');
  const apiKeyFile = join(directory, 'key');
  writeFileSync(apiKeyFile, 'secret', { mode: 0o666 });
  const settings = { apiKeyFile, tokenFile: join(directory, 'absent'), notify: {} };
  const examined = examineSecretFiles(settings as Parameters<typeof examineSecretFiles>[0], 'win32');
  expect(examined).toEqual([
    {
      check: 'secrets',
      state: 'skipped',
      detail: `The permissions of ${apiKeyFile} (apiKeyFile) are not checked on Windows. To list them: icacls "${apiKeyFile}"`,
    },
  ]);
});
