import { statSync } from 'node:fs';
import type { Config } from '../../config/load-config.ts';
import type { Finding } from './finding.ts';

/** Rights of the group and of all others. */
const others = 0o077;

/** Checks that only their owner can use the files with secrets. A missing file is reported where it is read. */
export function examineSecretFiles({
  apiKeyFile,
  tokenFile,
  sourcePasswordFile,
  notify,
}: Config): readonly Finding[] {
  const named = { apiKeyFile, tokenFile, sourcePasswordFile, 'notify.webhookFile': notify.webhookFile };
  return Object.entries(named).flatMap(([setting, file]) =>
    file === undefined ? [] : examine(setting, file),
  );
}

function examine(setting: string, file: string): readonly Finding[] {
  const check = 'secrets';
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return [];
  if ((mode & others) === 0)
    return [{ check, state: 'ok', detail: `${file} (${setting}) is readable by its owner only.` }];
  return [
    {
      check,
      state: 'warning',
      detail: `Other users can use ${file} (${setting}): its mode is ${(mode & 0o777).toString(8)}.`,
      remedy: `chmod 600 ${file}`,
    },
  ];
}
