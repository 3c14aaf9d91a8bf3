import type { AccountKey } from '../../domain/account-key.ts';
import type { Random } from '../../domain/clock.ts';
import { writeRefusal } from '../dialect.ts';
import { endpointTable } from '../endpoints/table.ts';
import { supplierStatus } from '../operator.ts';
import { keyText, type PlatformContext } from '../platform-context.ts';
import { denied, tooManyRequests, unauthorized } from '../refusals.ts';
import type { Refused, PlatformReply } from '../reply.ts';
import { createFaultChoice, type ChooseFault, type ChosenFault } from './fault-choice.ts';
import type { PageBody } from './fault-rules.ts';
import { gatewayJson } from './gateway-json.ts';
import { isReadFault, type ReadFault } from './read-faults.ts';
import { RecentEffects } from './recent-effects.ts';

/** What is done to a request on its way in and to its answer on the way out. */
export type InjectFault = (
  endpoint: string,
  key: AccountKey,
  /** Does the request's work, committed. */
  perform: (fault?: ReadFault) => Promise<PlatformReply>,
  /** Puts on record a request whose work is not done. */
  record: (status: number) => Promise<void>,
) => Promise<PlatformReply>;

/** The platform with the operator's faults, as they are now. */
export function createFaultInjection(context: PlatformContext, random: Random): InjectFault {
  let faults = context.operator().faults;
  const now = (): number => context.clock.now();
  let draw: ChooseFault = createFaultChoice(faults, now, random);
  const current = (): ChooseFault => {
    const latest = context.operator().faults;
    // A change to something else must not restart the count of requests.
    if (latest !== faults && JSON.stringify(latest) !== JSON.stringify(faults))
      draw = createFaultChoice(latest, now, random);
    faults = latest;
    return draw;
  };

  const recent = createRecentAnswers();
  const effects = new RecentEffects(now);
  const injectFault: InjectFault = async (endpoint, key, perform, record) => {
    const { delay, trouble } = current()(endpoint, key);
    if (delay > 0) await context.clock.sleep(delay, context.closing());
    const work = async (): Promise<PlatformReply> => {
      const reply = await perform(trouble !== undefined && isReadFault(trouble) ? trouble : undefined);
      if (trouble?.kind === 'hidden_double') double(endpoint, key, reply, context);
      recent.keep(endpoint, key, reply);
      effects.keep(endpoint, key, reply);
      return reply;
    };
    if (trouble === undefined) return work();
    if (trouble.kind === 'late_effect') {
      context.clock
        .sleep(trouble.afterMs, context.closing())
        .then(work)
        // The platform became unavailable in the meantime, and dropped the request.
        .catch(() => undefined);
      return trouble.status === undefined ? silence('reset') : htmlPage(trouble.status);
    }
    const other = recent.ofAnother(endpoint, key);
    const instead = before(trouble, key, context, other) ?? behind(trouble, endpoint, key, effects);
    if (instead !== undefined) {
      await record(isMadeUp(trouble) ? 0 : instead.status);
      return 'code' in instead ? writeRefusal(instead, context.operator().dialect) : instead;
    }
    return after(trouble, await work(), other);
  };
  return (endpoint, key, perform, record) =>
    context.operator().faults.rules.length === 0 ? perform() : injectFault(endpoint, key, perform, record);
}

type Trouble = NonNullable<ChosenFault['trouble']>;

/** Whether the status that is returned instead of doing the work may claim an effect that did not happen. */
function isMadeUp({ kind }: Trouble): boolean {
  return kind === 'page' || kind === 'page_200_for' || kind === 'astray' || kind === 'gateway_json';
}

/**
 * The answer without any work done; undefined if the work is done. `other` is an answer to a request about another
 * account.
 */
function before(
  trouble: Trouble,
  key: AccountKey,
  context: PlatformContext,
  other: PlatformReply | undefined,
): PlatformReply | Refused | undefined {
  switch (trouble.kind) {
    case 'throttle':
    case 'burst':
      return tooManyRequests(trouble.retryAfterSeconds);
    case 'reset':
    case 'hang':
      return trouble.when === 'before' ? silence(trouble.kind) : undefined;
    case 'html':
      return trouble.when === 'before' ? htmlPage(trouble.status) : undefined;
    case 'page':
      return trouble.when === 'before' ? proxyPage(trouble.status, trouble.body) : undefined;
    case 'page_200_for':
      return proxyPage(200);
    case 'new_connections_fail':
      context.refuseConnections(trouble.forMs);
      return undefined;
    case 'gateway_json':
      return trouble.when === 'before' ? gatewayJson(trouble.status, trouble.body) : undefined;
    case 'deny_one':
    case 'deny_step':
      return denied;
    case 'astray':
      return trouble.when === 'before' ? other : undefined;
    case 'expire-tokens':
      context.store.expireTokens();
      return unauthorized;
    case 'restart':
      context.restart(trouble.downMs);
      return silence('reset');
    case 'pause-supplier':
      pause(key.supplier, trouble.forMs, context);
      return undefined;
    default:
      return undefined;
  }
}

/** What a server says that is behind the others; undefined if the request is worked on. */
function behind(
  trouble: Trouble,
  endpoint: string,
  key: AccountKey,
  effects: RecentEffects,
): Refused | undefined {
  if (trouble.kind === 'lag') return effects.behind(endpoint, key, trouble.ms);
  const isUnknown = trouble.kind === 'token_lag' && endpoint !== 'token' && effects.isTokenNew(trouble.ms);
  return isUnknown ? unauthorized : undefined;
}

function after(trouble: Trouble, reply: PlatformReply, other: PlatformReply | undefined): PlatformReply {
  switch (trouble.kind) {
    case 'reset':
    case 'hang':
      return silence(trouble.kind);
    case 'html':
      return htmlPage(trouble.status);
    case 'page':
      return proxyPage(trouble.status, trouble.body);
    case 'gateway_json':
      return gatewayJson(trouble.status, trouble.body);
    case 'astray':
      return trouble.when === 'after' ? (other ?? reply) : reply;
    case 'double_answer':
      return { ...reply, corruption: 'twice' };
    case 'gateway_after':
      return htmlPage(trouble.status);
    case 'drip':
    case 'interim':
      return { ...reply, corruption: trouble };
    case 'truncated':
      return { ...reply, corruption: 'truncate' };
    case 'malformed':
      return malformed(reply);
    default:
      return reply;
  }
}

/** Holds twice what the request added. */
function double(
  endpoint: string,
  key: AccountKey,
  { status }: PlatformReply,
  { store }: PlatformContext,
): void {
  const [, found] = Object.entries<object>(endpointTable).find(([name]) => name === endpoint) ?? [];
  const account = store.findAccount(key)?.number;
  if (found !== undefined && 'step' in found && typeof account === 'number' && status < 300)
    store.addDoubled(account, String(found.step));
}

function pause(supplier: string, forMs: number | undefined, context: PlatformContext): void {
  if (supplierStatus(context.operator(), supplier) === undefined) return;
  const set = (status: string) => context.change({ suppliers: { [supplier]: { status } } });
  set('Paused');
  if (forMs !== undefined)
    context.clock.sleep(forMs, context.closing()).then(
      () => set('Ongoing'),
      () => undefined,
    );
}

/** The latest answers of each endpoint, for those that go astray. */
interface RecentAnswers {
  /** Takes an answer to a request about an account; one about none, or in pieces, is let go. */
  keep(endpoint: string, key: AccountKey, reply: PlatformReply): void;
  /** The latest answer of the endpoint to a request about another account. */
  ofAnother(endpoint: string, key: AccountKey): PlatformReply | undefined;
}

interface Kept {
  readonly about: string;
  readonly reply: PlatformReply;
}

function createRecentAnswers(): RecentAnswers {
  /** By endpoint: the latest answer, and the latest one about another account than that. */
  const kept = new Map<string, readonly Kept[]>();
  const others = (endpoint: string, about: string): readonly Kept[] =>
    (kept.get(endpoint) ?? []).filter((one) => one.about !== about);
  return {
    keep: (endpoint, key, reply) => {
      if (key.account === '' || reply.pieces !== undefined) return;
      const about = keyText(key);
      kept.set(endpoint, [{ about, reply }, ...others(endpoint, about).slice(0, 1)]);
    },
    ofAnother: (endpoint, key) => others(endpoint, keyText(key))[0]?.reply,
  };
}

/** No answer: the connection is closed, or left to hang. */
export function silence(corruption: 'reset' | 'hang'): PlatformReply {
  return { status: 0, corruption };
}

/** A page of HTML, as a proxy in between would answer. */
function htmlPage(status: number): PlatformReply {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return { status, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** What a proxy answers that has not asked the platform, or does not pass its answer on. */
function proxyPage(status: number, said?: PageBody): PlatformReply {
  switch (status === 204 || status === 304 ? 'empty' : (said ?? (status === 202 ? 'queued' : 'html'))) {
    case 'html':
      return htmlPage(status);
    case 'queued':
      return { status, body: '{"queued":true}' };
    case 'error':
      return { status, body: '{"status":"error"}' };
    case 'empty':
      return { status };
  }
}

/** The same answer as invalid JSON. */
function malformed(reply: PlatformReply): PlatformReply {
  return reply.pieces === undefined
    ? { ...reply, body: `{${reply.body ?? ''}` }
    : { ...reply, pieces: corruptedPieces(reply.pieces) };
}

function* corruptedPieces(pieces: Iterable<string>): Generator<string> {
  yield '{';
  yield* pieces;
}
