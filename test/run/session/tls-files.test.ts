import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tlsFiles } from '../../../src/run/session/tls-files.ts';
import { project, workspace } from '../../cli/tool.ts';

const space = workspace();
const file = (name: string): string => join(space.directory, name);
beforeAll(() => {
  copyFileSync(project('test/client/certificates/platform.pem'), file('cert.pem'));
  copyFileSync(project('test/client/certificates/platform-key.pem'), file('key.pem'));
  copyFileSync(project('test/postgres/certificates/server-key.pem'), file('other-key.pem'));
  writeFileSync(file('text.pem'), 'no certificate');
  writeFileSync(file('locked.pem'), '-----BEGIN ENCRYPTED PRIVATE KEY-----\n');
});
afterAll(() => space.dispose());

it('reads the files of a profile', async () => {
  expect(await tlsFiles({ tls: {} })).toBeUndefined();
  const read = await tlsFiles({ tls: { cert: file('cert.pem'), key: file('key.pem') } });
  expect(read?.cert).toContain('BEGIN CERTIFICATE');
});

it.each([
  [{ cert: 'cert.pem' }, 'tls.cert: needs the other of tls.cert and tls.key'],
  [{ cert: 'none.pem', key: 'key.pem' }, 'does not exist. Check the path.'],
  [{ cert: 'text.pem', key: 'key.pem' }, 'is not in PEM, or damaged'],
  [{ cert: 'cert.pem', key: 'other-key.pem' }, 'is not the key of tls.cert'],
  [{ cert: 'cert.pem', key: 'locked.pem' }, 'is encrypted'],
  [{ ca: 'none.pem' }, 'tls.ca'],
])('%o is refused before anything is sent', async (names, words) => {
  const tls = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, file(name)]));
  await expect(tlsFiles({ tls })).rejects.toThrow(words);
});
