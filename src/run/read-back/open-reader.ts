import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Environment } from '../../host/environment.ts';
import type { Config } from '../../config/load-config.ts';
import { waitAfter } from '../../pipeline/request/retry.ts';
import { AccountReader, UnfitQuery } from '../../read-back/account-reader.ts';
import { shapeOf, type ReadShape } from '../../read-back/read-shape.ts';
import type { PlatformConnection } from '../session/connect.ts';

/** The shape of a profile's readBack. */
export function readShapeOf(config: Config): ReadShape {
  return shapeOf(config.readBack);
}

/** Where queries are sent; undefined: the usual place. */
export function queryPathOf({ readBack, tokenMutation }: Config): string | undefined {
  return readBack.path ?? tokenMutation.path;
}

/** How far the embedded platform can be behind, in ms: its faults make it so. */
const embeddedLagMs = 6_000;

/** How long a reading may be behind what was sent, in ms. */
export function lagMsOf(
  { patience }: Config,
  { isEmbedded }: Pick<PlatformConnection, 'isEmbedded'>,
): number {
  return isEmbedded ? embeddedLagMs : patience.laggingMs;
}

/** What reads accounts of the connected platform as a profile says. Throws CannotStart if a query cannot be sent. */
export function openReader(
  { clock, random }: Pick<Environment, 'clock' | 'random'>,
  config: Config,
  { client }: Pick<PlatformConnection, 'client'>,
  signal?: AbortSignal,
): AccountReader {
  const { retry, timeZone } = config;
  const path = queryPathOf(config);
  try {
    return new AccountReader({
      shape: readShapeOf(config),
      timeZone,
      post: (body) => client.query(body, { path, signal }),
      discardToken: (tokenId) => client.discardToken(tokenId),
      pause: async (tries, askedMs) => clock.sleep(waitAfter(askedMs, tries, retry, random), signal),
      attempts: { unanswered: retry.attempts, throttled: retry.throttledAttempts },
    });
  } catch (error) {
    if (error instanceof UnfitQuery) throw new CannotStart(exitCodes.usage, error.message);
    throw error;
  }
}
