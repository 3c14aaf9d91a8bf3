import type { ReplyHeaders } from './http-exchange.ts';

/** What a platform announces of a limit that it applies. */
export interface Quota {
  /** Of its policy; '' if it has none. */
  readonly name: string;
  /** Requests in a window. */
  readonly limit?: number | undefined;
  /** The length of the window, in ms. */
  readonly windowMs?: number | undefined;
  /** Requests that are left until the reset. */
  readonly remaining?: number | undefined;
  /** Until the reset, in ms. */
  readonly resetMs?: number | undefined;
}

/** Longer fields are not read, in characters. */
const longestField = 2048;
const mostQuotas = 8;

const windows = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]);

/**
 * Reads the limits that an answer announces: `RateLimit` and `RateLimit-Policy` in their structured form
 * (`"default";q=100;w=60`) and in earlier ones (`limit=100, remaining=50, reset=5`), and the fields
 * `RateLimit-Limit` and `X-RateLimit-Limit` with `-Remaining` and `-Reset`, also by window (`-Limit-Minute`). What
 * cannot be read is left out. `now`: in ms since the epoch.
 */
export function readQuotas(headers: ReplyHeaders, now: number): readonly Quota[] | undefined {
  // Most answers announce nothing.
  let isAnnounced = false;
  for (const name in headers) isAnnounced ||= name.includes('ratelimit') || name.includes('rate-limit');
  if (!isAnnounced) return undefined;
  const field = (name: string): string | undefined => {
    const value = headers[name];
    const text = Array.isArray(value) ? value.join(', ') : value;
    return text === undefined || text.length > longestField ? undefined : text;
  };
  const [state, policy] = [field('ratelimit'), field('ratelimit-policy')];
  const found = state === undefined && policy === undefined ? [] : structured(state ?? '', policy ?? '');
  if (found.length === 0) found.push(...plain(field, policy, now));
  return found.length === 0 ? undefined : found.slice(0, mostQuotas);
}

/** Fields of three, as before there was a structured one. */
function plain(field: (name: string) => string | undefined, policy = '', now: number): Quota[] {
  const quotas: Quota[] = [];
  for (const prefix of ['ratelimit', 'x-ratelimit', 'x-rate-limit'])
    for (const suffix of ['', ...windows.keys()]) {
      const end = suffix === '' ? '' : `-${suffix}`;
      const limit = count(field(`${prefix}-limit${end}`));
      const remaining = count(field(`${prefix}-remaining${end}`));
      const resetMs = resetOf(field(`${prefix}-reset${end}`), now);
      if (limit === undefined && remaining === undefined) continue;
      const windowMs = windows.get(suffix) ?? seconds(/;\s*w=(\d+)/.exec(policy)?.[1]);
      quotas.push({ name: suffix, limit, remaining, resetMs, windowMs });
    }
  return quotas.slice(0, 4);
}

function structured(state: string, policy: string): Quota[] {
  const policies = new Map(listOf(policy).map((item) => [item.name, item.parameters]));
  const states = new Map(listOf(state).map((item) => [item.name, item.parameters]));
  return [...new Set([...policies.keys(), ...states.keys()])].flatMap((name) => {
    const [said, left] = [policies.get(name), states.get(name)];
    // Quotas of other units, such as bytes, say nothing about requests.
    const unit = said?.get('qu') ?? 'requests';
    if (unit !== 'requests') return [];
    const [limit, windowMs] = [count(said?.get('q')), seconds(said?.get('w'))];
    const [remaining, resetMs] = [count(left?.get('r')), seconds(left?.get('t'))];
    return limit === undefined && remaining === undefined
      ? []
      : [{ name, limit, windowMs, remaining, resetMs }];
  });
}

interface Item {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const text = String.raw`"((?:[^"\\]|\\.)*)"`;
const token = String.raw`[A-Za-z*][\w!#$%&'*+.^|~:/-]*`;
const value = String.raw`(?:${text}|:[\w+/=]*:|${token}|-?\d+(?:\.\d+)?)`;
const item = new RegExp(
  String.raw`\s*(?:${text}|(${token}))((?:\s*;\s*[a-z*][\w.*-]*(?:=${value})?)*)\s*(?:,|$)`,
  'y',
);
const parameter = new RegExp(String.raw`;\s*([a-z*][\w.*-]*)(?:=(${value}))?`, 'g');

/** A list of strings (or tokens) with parameters (RFC 9651); nothing if any of it is malformed. */
function listOf(field: string): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < field.length;) {
    item.lastIndex = at;
    const found = item.exec(field);
    if (found === null || items.length >= mostQuotas) return [];
    const parameters = new Map<string, string>();
    for (const [, key = '', given = ''] of (found[3] ?? '').matchAll(parameter))
      parameters.set(key, given.replace(/^"(.*)"$/s, '$1'));
    items.push({ name: found[1] ?? found[2] ?? '', parameters });
    at = item.lastIndex;
  }
  return items;
}

function count(said: string | undefined): number | undefined {
  const number = /^\s*(\d{1,15})\s*(?:$|[,;])/.exec(said ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function seconds(said: string | undefined): number | undefined {
  const number = count(said);
  return number === undefined ? undefined : number * 1000;
}

/** Seconds until the reset, or its time in seconds or ms since the epoch. */
function resetOf(said: string | undefined, now: number): number | undefined {
  const number = count(said);
  if (number === undefined) return undefined;
  if (number < 1e9) return number * 1000;
  return Math.max(0, (number < 1e11 ? number * 1000 : number) - now);
}

/** How long to wait after a refusal, in ms, by a limit of which nothing is left; undefined if that is not known. */
export function waitOf(quotas: readonly Quota[]): number | undefined {
  const waits = quotas.flatMap(({ remaining = 0, resetMs }) =>
    remaining === 0 && resetMs !== undefined ? [resetMs] : [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}
