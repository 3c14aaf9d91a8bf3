import type { JsonObject } from '../domain/json.ts';
import type { PlatformContext } from './platform-context.ts';
import { readJsonBody } from './http/json-body.ts';
import type { Place } from './http/routes.ts';
import { invalid, problem } from './refusals.ts';
import { answer } from './reply.ts';
import type { Outcome } from './transaction-batcher.ts';

/** The operator's requests: read the settings, change them, expire all tokens, restart. */
export function controlPlatform(
  place: Place,
  method: string,
  bytes: Buffer,
  context: PlatformContext,
): Outcome {
  if (place.name === 'expireTokens') {
    context.store.expireTokens();
    return { status: 204 };
  }
  if (place.name === 'restart') {
    const downMs = Number(place.query.get('down_ms') ?? 0);
    if (!Number.isInteger(downMs) || downMs < 0 || downMs > 3_600_000)
      return invalid([problem('invalid', 'down_ms', 'A number of milliseconds up to an hour is required.')]);
    // The answer leaves first.
    setImmediate(() => context.restart(downMs));
    return { status: 202 };
  }
  if (method === 'PATCH') {
    const read = readJsonBody(bytes);
    if (!read.ok) return invalid([read.problem]);
    const problems = context.change(read.value);
    if (problems.length > 0)
      return invalid(problems.map(({ path, detail }) => problem('invalid', path.join('.'), detail)));
  }
  const { apiKeys: _secret, ...shown } = context.operator();
  return answer(200, shown as JsonObject);
}
