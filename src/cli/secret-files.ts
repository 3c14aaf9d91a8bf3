import { accessSync, constants, statSync } from 'node:fs';
import { platform } from 'node:os';
import type { Config } from '../config/load-config.ts';
import { quoted } from '../report/command-line.ts';
import type { Finding } from './doctor-checks.ts';

/** Rights of the group and of all others. */
const others = 0o077;

type Named = Pick<Config, 'apiKeyFile' | 'tokenFile' | 'sourcePasswordFile' | 'notify'>;

/**
 * Checks that only their owner can use the files with secrets. A missing file is reported where it is read. On Windows, Node does not see
 * who may: modes mean nothing there.
 */
export function examineSecretFiles(
  { apiKeyFile, tokenFile, sourcePasswordFile, notify }: Named,
  system: string = platform(),
): readonly Finding[] {
  const named = { apiKeyFile, tokenFile, sourcePasswordFile, 'notify.webhookFile': notify.webhookFile };
  return Object.entries(named).flatMap(([setting, file]) =>
    file === undefined ? [] : examine(setting, file, system),
  );
}

function examine(setting: string, file: string, system: string): readonly Finding[] {
  const check = 'secrets';
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return [];
  if (system === 'win32')
    return [
      {
        check,
        state: 'skipped',
        detail: `The permissions of ${file} (${setting}) are not checked on Windows. To list them: icacls ${quoted(file, system)}`,
      },
    ];
  if ((mode & others) === 0)
    return [{ check, state: 'ok', detail: `${file} (${setting}) is readable by its owner only.` }];
  return [
    {
      check,
      state: 'warning',
      detail: `Other users can use ${file} (${setting}): its mode is ${(mode & 0o777).toString(8)}.`,
      remedy: isOnReadOnly(file)
        ? 'Its file system is read-only: set the mode where the file is mounted from, such as defaultMode: 0400 of a Kubernetes secret.'
        : `chmod 600 ${file}`,
    },
  ];
}

function isOnReadOnly(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}
