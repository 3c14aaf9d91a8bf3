/** In characters. */
const longest = 120;

/**
 * Where a Location header leads, for people: without its query, which may hold what the request held, and without the
 * path if that is one of the interface, which names an account. Undefined if there is none.
 */
export function redirectTarget(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, unnamed)) return undefined;
  const { origin, pathname, protocol } = new URL(location, unnamed);
  if (!/^https?:$/.test(protocol)) return undefined;
  const path = pathname === '/' || pathname.includes('/data-import/') ? '' : pathname;
  const target = `${origin === unnamed ? '' : origin}${path}`;
  return target === '' ? undefined : target.slice(0, longest);
}

/** Stands for the origin of the request. */
const unnamed = 'http://same.invalid';
