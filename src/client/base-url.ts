/** A platform's base address (section 1), taken apart. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Precedes the path of every request; empty, or begins with `/` and does not end with one. */
  readonly pathPrefix: string;
}

/** Takes a base address apart; undefined unless it is http or https, and has nothing after its path. */
export function parseBaseUrl(baseUrl: string): BaseUrl | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.href !== `${url.origin}${url.pathname}`) return undefined;
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}

/** The address in normal form: without a slash at its end. */
export function addressOf({ origin, pathPrefix }: BaseUrl): string {
  return `${origin}${pathPrefix}`;
}
