import { nothingSent, type SentValues } from '../contract/sent-values.ts';

/** In characters. */
const longest = 120;

/**
 * Where a Location header leads, for people: without its query, which may hold what the request held, and without the
 * path if that is one of the interface, which names an account. Undefined if there is none, or if it repeats anything that was `sent`. Where that is not known, the path is left out.
 */
export function redirectTarget(location: string | undefined, sent?: SentValues): string | undefined {
  if (location === undefined || !URL.canParse(location, unnamed)) return undefined;
  const { origin, pathname, protocol } = new URL(location, unnamed);
  if (!/^https?:$/.test(protocol)) return undefined;
  const isTold = sent !== undefined && pathname !== '/' && !pathname.includes('/data-import/');
  const path = isTold ? pathname : '';
  const target = `${origin === unnamed ? '' : origin}${path}`;
  if (target === '' || (sent ?? nothingSent).repeatedIn(decoded(target))) return undefined;
  return target.slice(0, longest);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not percent-encoded after all.
    return path;
  }
}

/** Stands for the origin of the request. */
const unnamed = 'http://same.invalid';
