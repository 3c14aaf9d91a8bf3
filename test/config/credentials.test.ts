import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { resolveCredentials, type RunShellCommand } from '../../src/config/credentials.ts';
import { directory, loaded, write } from './fixture.ts';

const noCommand: RunShellCommand = () => Promise.reject(new Error('no command was expected'));
const read = (file: string) => readFile(file, 'utf8');

async function resolved(
  migraterc: string,
  env: NodeJS.ProcessEnv = {},
  run = noCommand,
  files: Record<string, string> = {},
) {
  const dir = directory(migraterc);
  for (const [name, text] of Object.entries(files)) write(join(dir, name), text);
  const found = await resolveCredentials(await loaded(dir, { env }), env, run, read);
  return 'secret' in found
    ? `${found.kind} ${found.secret.reveal()}`
    : `${found.where}: ${found.detail}`.replaceAll(`${dir}/`, '');
}

test('secrets come from the environment, else from the file or the command of the configuration', async () => {
  const files = { key: 'k-file\n', token: 't-file' };
  expect(await resolved('apiKeyFile: key', { MIGRATE_API_KEY: 'k' }, noCommand, files)).toBe('apiKey k');
  expect(await resolved('apiKeyFile: key', { MIGRATE_TOKEN: 't', MIGRATE_API_KEY: 'k' })).toBe('token t');
  expect(await resolved('apiKeyFile: key', { MIGRATE_API_KEY: '' }, noCommand, files)).toBe('apiKey k-file');
  expect(await resolved('tokenFile: token', {}, noCommand, files)).toBe('token t-file');
  const run: RunShellCommand = (command) => Promise.resolve({ code: 0, stdout: `${command}!\n` });
  expect(await resolved('apiKeyCommand: tell', {}, run)).toBe('apiKey tell!');
});

test('a source that gives no secret is a problem with a remedy, without what it gave', async () => {
  const files = { key: ' \n', two: 'sk_live 123\n' };
  expect(await resolved('')).toContain('Set MIGRATE_API_KEY or MIGRATE_TOKEN, or name apiKeyFile');
  expect(await resolved('apiKeyFile: none')).toBe('apiKeyFile: none does not exist. Check the path.');
  expect(await resolved('apiKeyFile: key', {}, noCommand, files)).toBe('key: is an empty secret.');
  expect(await resolved('tokenFile: two', {}, noCommand, files)).toBe(
    'two: has more than one word; it must be the secret only.',
  );
  const fails: RunShellCommand = () => Promise.resolve({ code: 3, stdout: 'sk_live_123' });
  expect(await resolved('apiKeyCommand: tell sk_live_123', {}, fails)).toBe(
    'apiKeyCommand: the command ended with code 3. Run it by hand to see why.',
  );
  const killed: RunShellCommand = () => Promise.resolve({ code: null, stdout: '' });
  expect(await resolved('apiKeyCommand: tell', {}, killed)).toContain('did not end by itself');
});

test('no printable form of the configuration or the credentials shows a secret', async () => {
  const env = { MIGRATE_API_KEY: 'sk_live_123', MIGRATE_TOKEN: 'sk_live_123' };
  const config = await loaded(directory('team: A'), { env });
  const credentials = await resolveCredentials(config, env, noCommand, read);
  for (const value of [config, credentials]) {
    const shown = `${inspect(value, { depth: 9, showHidden: true })} ${JSON.stringify(value)} ${JSON.stringify(Object.entries(value))}`;
    expect(shown).not.toContain('sk_live');
  }
});
