import type { ClientOptions } from '../client/create-client.ts';
import { createClient } from '../client/create-client.ts';
import type { Config } from '../config/load-config.ts';
import type { ConformanceCheck } from '../conformance/check.ts';
import { ownWrites } from '../conformance/checks/own-writes.ts';
import { openReader } from '../run/read-back/open-reader.ts';
import type { Shell } from './shell.ts';

/** The check that a platform reads its own writes, by the queries of the profile. Close it when all checks are made. */
export function ownWritesCheck(
  shell: Shell,
  config: Config,
  options: ClientOptions,
): { readonly check: ConformanceCheck; readonly close: () => Promise<void> } {
  const client = createClient(options);
  const reader = openReader(shell, config, { client });
  const check = ownWrites(async (number) => {
    const read = await reader.read(number, { notes: 20 });
    if (read.kind === 'stopped') return read.detail;
    // The platform may not know yet that it has it.
    if (read.kind === 'no-account') return [];
    const { notes } = read.account;
    if (notes.kind === 'not-readable') return notes.reason;
    const bodies = notes.kind === 'present' ? notes.value.map(({ body }) => body) : [];
    const hidden = bodies.find(({ kind }) => kind === 'not-readable');
    if (hidden?.kind === 'not-readable') return hidden.reason;
    return bodies.flatMap((body) => (body.kind === 'present' ? [body.value] : []));
  });
  return { check, close: () => client.close() };
}
