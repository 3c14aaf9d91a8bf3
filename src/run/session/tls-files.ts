import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../client/open-dispatcher.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import { readTrustedText, whyUnread } from '../../domain/trusted-file.ts';

/** The files of the setting `tls`, read; undefined if it names none. Throws CannotStart. */
export async function tlsFiles({ tls }: Pick<Config, 'tls'>): Promise<TlsFiles | undefined> {
  const { cert, key, ca } = tls;
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if ((cert === undefined) !== (key === undefined))
    throw refused(
      cert === undefined ? 'tls.key' : 'tls.cert',
      'needs the other of tls.cert and tls.key. Name both files.',
    );
  const files = {
    cert: await read('tls.cert', cert),
    key: await read('tls.key', key),
    ca: await read('tls.ca', ca),
  };
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: .*ENCRYPTED/m.test(files.key ?? ''))
    throw refused(
      'tls.key',
      `${key} is encrypted. Name a file with the key in the clear that only you can read (openssl pkey -in FILE -out FILE).`,
    );
  for (const name of ['cert', 'key', 'ca'] as const) check(name, files, tls[name]);
  return files;
}

/** Node says what is wrong with a file only when it is used: each is tried with those before it. */
function check(name: 'cert' | 'key' | 'ca', { cert, key, ca }: TlsFiles, path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (name === 'ca') createSecureContext({ ca });
    else createSecureContext(name === 'cert' ? { cert } : { cert, key });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why =
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? 'is not the key of tls.cert'
        : `is not in PEM, or damaged (${code})`;
    throw refused(`tls.${name}`, `${path} ${why}. Name another file.`);
  }
}

async function read(name: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readTrustedText(path);
  } catch (error) {
    throw refused(name, `${path} ${whyUnread(error)}`);
  }
}

function refused(name: string, why: string): CannotStart {
  return new CannotStart(exitCodes.usage, `${name}: ${why}`);
}
