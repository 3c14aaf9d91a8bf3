import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { accountPage } from './account-page.ts';
import { LiveNight } from './live-night.ts';
import { nightBoxes, nightPage } from './night-page.ts';
import type { NightSource, SupplierChoice } from './night.ts';

export interface DashboardOptions {
  readonly source: NightSource;
  readonly clock: Clock;
  /** Address to listen on. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Readers need it; absent: everybody who reaches a loopback address may read. */
  readonly token?: string | undefined;
  /** Times are shown in this zone (IANA name). */
  readonly timeZone: string;
  /** The tool's version. */
  readonly version: string;
}

export interface RunningDashboard {
  /** `http://127.0.0.1:8080/`, without the token. */
  readonly url: string;
  /** Ends the open connections, and stops looking at the journal. */
  close(): Promise<void>;
}

const cookieName = 'migrate_dashboard';

const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Serves the page. It only reads. Rejects with the socket's error if it cannot listen. */
export async function startDashboard(options: DashboardOptions): Promise<RunningDashboard> {
  const { source, clock, host, port, timeZone } = options;
  const live = new LiveNight(source, clock, timeZone);
  const server = createServer((request, response) => {
    replyTo(options, live, request)
      .catch((error: unknown) => text(500, error instanceof Error ? error.message : String(error)))
      .then((reply) => reply(response))
      .catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const looking = live.run();
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/`,
    close: async () => {
      live.end();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, looking]);
    },
  };
}

/** Writes an answer. */
type Reply = (response: ServerResponse) => void;

async function replyTo(options: DashboardOptions, live: LiveNight, request: IncomingMessage): Promise<Reply> {
  const { source, timeZone, version } = options;
  const address = `http://dashboard.invalid${request.url ?? '/'}`;
  if (!URL.canParse(address)) return text(404, 'There is no such page.');
  const { pathname, searchParams } = new URL(address);
  const refusal = refusalOf(options, request, searchParams.get('token'));
  if (refusal !== undefined) return refusal;
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'This page is read-only.');
  // The token must not stay in the address, where a history or a screenshot keeps it.
  if (options.token !== undefined && searchParams.has('token'))
    return rememberToken(options.token, searchParams, request);
  if (pathname === '/') return page(200, nightPage(live.view(choiceOf(searchParams)), version));
  if (pathname === '/events') return (response) => follow(live, choiceOf(searchParams), response);
  if (pathname !== '/account') return text(404, 'There is no such page.');
  const account = searchParams.get('account')?.trim() ?? '';
  const found = await source.find(account, searchParams.get('supplier') ?? undefined);
  return page(found.length === 0 ? 404 : 200, accountPage({ account, found, timeZone }));
}

function choiceOf(query: URLSearchParams): SupplierChoice | undefined {
  const [supplier, platform] = [query.get('supplier'), query.get('platform')];
  return supplier === null || platform === null ? undefined : { supplier, platform };
}

/** Sends each box that changed, after each look. */
function follow(live: LiveNight, choice: SupplierChoice | undefined, response: ServerResponse): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  // Milliseconds after which browsers reconnect.
  response.write('retry: 2000\n\n');
  const sent = new Map<string, string>();
  let isBlocked = false;
  const send = (): void => {
    // A slow reader misses states, and gets the newest when it is ready for more.
    if (isBlocked) return;
    const boxes = nightBoxes(live.view(choice));
    const isOther = sent.size > 0 && (boxes.length !== sent.size || boxes.some(({ id }) => !sent.has(id)));
    const events = isOther ? [eventText('reload', {})] : [];
    if (isOther) sent.clear();
    for (const { id, content } of isOther ? [] : boxes) {
      if (sent.get(id) === content.markup) continue;
      sent.set(id, content.markup);
      events.push(eventText('box', { id, content: content.markup }));
    }
    isBlocked = events.length > 0 && !response.write(events.join(''));
  };
  response.on('drain', () => {
    isBlocked = false;
    send();
  });
  const leave = live.watch(send);
  response.on('close', leave);
  send();
}

/** One server-sent event. */
function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function refusalOf(
  { token }: DashboardOptions,
  { headers: { host = '', cookie = '', authorization = '' } }: IncomingMessage,
  given: string | null,
): Reply | undefined {
  if (token === undefined) {
    // A page of another site may have its name point to this machine, and would then read this one.
    const name = host.replace(/:\d+$/, '');
    if (['127.0.0.1', 'localhost', '[::1]'].includes(name)) return undefined;
    return text(403, 'Only this machine may open this page. Use the address that migrate dashboard printed.');
  }
  const [, kept] = new RegExp(`(?:^|;\\s*)${cookieName}=([^;]*)`).exec(cookie) ?? [];
  const [, bearer] = /^Bearer (.+)$/i.exec(authorization) ?? [];
  const isKept = kept !== undefined && isEqual(kept, cookieOf(token));
  if (isKept || [given, bearer].some((one) => one !== null && one !== undefined && isEqual(one, token)))
    return undefined;
  return text(
    401,
    'A token is needed. Add ?token=TOKEN to the address, with the token of migrate dashboard.',
  );
}

/** In a time that does not depend on where they differ. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** A token may have characters that a cookie may not. */
function cookieOf(token: string): string {
  return encodeURIComponent(token);
}

/** Keeps the token in a cookie, and leads to the same page without it. */
function rememberToken(token: string, query: URLSearchParams, request: IncomingMessage): Reply {
  const isSecure = request.headers['x-forwarded-proto'] === 'https';
  const cookie = `${cookieName}=${cookieOf(token)}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  query.delete('token');
  const rest = query.toString();
  const location = rest === '' ? './' : `?${rest}`;
  return (response) => response.writeHead(303, { ...headers, 'set-cookie': cookie, location }).end();
}

function page(status: number, markup: string): Reply {
  const type = { 'content-type': 'text/html; charset=utf-8' };
  return (response) => response.writeHead(status, { ...headers, ...type }).end(markup);
}

function text(status: number, words: string): Reply {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  const allow = status === 405 ? { allow: 'GET, HEAD' } : {};
  return (response) => response.writeHead(status, { ...headers, ...type, ...allow }).end(`${words}\n`);
}
