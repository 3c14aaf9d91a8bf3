import type { FoundPace } from '../domain/found-pace.ts';
import { isJsonObject, parseJson, type JsonValue } from '../domain/json.ts';

/** The pace of a run as it is stored: words for people, and the rates that were found, on a line of their own. */
export function notedPace(words: string, found: FoundPace | undefined): string {
  return found === undefined ? words : `${words}\n${JSON.stringify(found)}`;
}

/** Reads what `notedPace` wrote; of journals of earlier versions, there are words only. */
export function readNotedPace(text: string): { readonly words: string; readonly found?: FoundPace } {
  const at = text.indexOf('\n');
  if (at < 0) return { words: text };
  const stored = parseJson(text.slice(at + 1));
  const words = text.slice(0, at);
  if (!isJsonObject(stored)) return { words };
  const perSecond = rateOf(stored['perSecond']);
  const { endpoints } = stored;
  const each = isJsonObject(endpoints)
    ? Object.entries(endpoints).flatMap(([endpoint, rate]) => {
        const known = rateOf(rate);
        return known === undefined ? [] : [[endpoint, known] as const];
      })
    : [];
  return { words, found: { perSecond, endpoints: each.length === 0 ? undefined : Object.fromEntries(each) } };
}

function rateOf(value: JsonValue | undefined): number | undefined {
  const rate = value === undefined ? NaN : Number(value);
  return rate > 0 && rate < 1e6 ? rate : undefined;
}
