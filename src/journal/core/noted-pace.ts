import type { AnsweredRequests, FoundPace } from '../../domain/found-pace.ts';
import type { BodyLimit } from '../../domain/request-too-large.ts';
import type { Stopping } from '../run-entry.ts';
import { isJsonObject, parseJson, type JsonValue } from '../../domain/json.ts';

/** How fast a run goes. */
export interface NotedPace {
  /** For people. */
  readonly words: string;
  /** The rates that it found last. */
  readonly found?: FoundPace | undefined;
  readonly answered?: AnsweredRequests | undefined;
  /** The sizes of bodies that a gateway refused and took; `none`: it took all that an earlier run found refused. */
  readonly bodyLimit?: BodyLimit | 'none' | undefined;
  /** Set once the run begins no more accounts. */
  readonly stopping?: Stopping | undefined;
}

/** The pace of a run as it is stored: words for people, and the figures, on a line of their own. */
export function storedPace({ words, found, answered, bodyLimit, stopping }: NotedPace): string {
  const parts = [found, answered, bodyLimit, stopping];
  if (parts.every((part) => part === undefined)) return words;
  return `${words}\n${JSON.stringify({ ...found, answered, bodyLimit, stopping })}`;
}

/** Reads what `storedPace` wrote; of journals of earlier versions, there are words only. */
export function readStoredPace(text: string): NotedPace {
  const at = text.indexOf('\n');
  if (at < 0) return { words: text };
  const stored = parseJson(text.slice(at + 1));
  const words = text.slice(0, at);
  if (!isJsonObject(stored)) return { words };
  const { answered, bodyLimit, stopping } = stored;
  return {
    ...{ words, found: foundIn(stored), answered: answeredIn(answered) },
    ...{ bodyLimit: bodyLimitIn(bodyLimit), stopping: stoppingIn(stopping) },
  };
}

function stoppingIn(stored: JsonValue | undefined): Stopping | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { reason } = stored;
  const since = Number(stored['since']);
  return typeof reason === 'string' && Number.isInteger(since) ? { reason, since } : undefined;
}

function bodyLimitIn(stored: JsonValue | undefined): NotedPace['bodyLimit'] {
  if (stored === 'none') return 'none';
  if (!isJsonObject(stored)) return undefined;
  const [refusedBytes, acceptedBytes] = [Number(stored['refusedBytes']), Number(stored['acceptedBytes'])];
  return refusedBytes > 0 && acceptedBytes >= 0 ? { refusedBytes, acceptedBytes } : undefined;
}

function foundIn({ perSecond, endpoints }: Record<string, JsonValue>): FoundPace | undefined {
  const each = isJsonObject(endpoints)
    ? Object.entries(endpoints).flatMap(([endpoint, rate]) => {
        const known = rateOf(rate);
        return known === undefined ? [] : [[endpoint, known] as const];
      })
    : [];
  const ofAll = rateOf(perSecond);
  if (ofAll === undefined && each.length === 0) return undefined;
  return { perSecond: ofAll, endpoints: each.length === 0 ? undefined : Object.fromEntries(each) };
}

function rateOf(value: JsonValue | undefined): number | undefined {
  const rate = value === undefined ? NaN : Number(value);
  return rate > 0 && rate < 1e6 ? rate : undefined;
}

function answeredIn(stored: JsonValue | undefined): AnsweredRequests | undefined {
  if (!isJsonObject(stored)) return undefined;
  const [accepted, refused, unclear] = [stored['accepted'], stored['refused'], stored['unclear']].map(Number);
  if (accepted === undefined || refused === undefined || unclear === undefined) return undefined;
  return [accepted, refused, unclear].every(Number.isInteger) ? { accepted, refused, unclear } : undefined;
}
