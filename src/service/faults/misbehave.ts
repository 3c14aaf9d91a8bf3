import type { AccountKey } from '../../domain/account-key.ts';
import type { Random } from '../../domain/clock.ts';
import { writeRefusal } from '../dialect.ts';
import type { Desk } from '../desk.ts';
import { tooManyRequests, unauthorized } from '../refusals.ts';
import type { Refused, Reply } from '../reply.ts';
import { createFaultDraw, type FaultDraw, type Strike } from './fault-draw.ts';
import { createRecentAnswers } from './recent-answers.ts';
import { htmlPage, malformed, proxyPage, silence } from './spoil.ts';

/** What is done to a request on its way in and to its answer on the way out. */
export type Misbehave = (
  endpoint: string,
  key: AccountKey,
  /** Does the request's work, committed. */
  perform: () => Promise<Reply>,
  /** Puts on record a request whose work is not done. */
  record: (status: number) => Promise<void>,
) => Promise<Reply>;

/** The platform with the operator's faults, as they are now. */
export function createMisbehave(desk: Desk, random: Random): Misbehave {
  let faults = desk.operator().faults;
  const now = (): number => desk.clock.now();
  let draw: FaultDraw = createFaultDraw(faults, now, random);
  const current = (): FaultDraw => {
    const latest = desk.operator().faults;
    // A change of something else must not count the requests anew.
    if (latest !== faults && JSON.stringify(latest) !== JSON.stringify(faults))
      draw = createFaultDraw(latest, now, random);
    faults = latest;
    return draw;
  };

  const recent = createRecentAnswers();
  const misbehave: Misbehave = async (endpoint, key, perform, record) => {
    const { delay, trouble } = current()(endpoint, key);
    if (delay > 0) await desk.clock.sleep(delay, desk.closing());
    const work = async (): Promise<Reply> => {
      const reply = await perform();
      recent.keep(endpoint, key, reply);
      return reply;
    };
    if (trouble === undefined) return work();
    if (trouble.kind === 'late_effect') {
      desk.clock
        .sleep(trouble.afterMs, desk.closing())
        .then(work)
        // The platform went away meanwhile, and the request with it.
        .catch(() => undefined);
      return trouble.status === undefined ? silence('reset') : htmlPage(trouble.status);
    }
    const other = recent.ofAnother(endpoint, key);
    const instead = before(trouble, key, desk, other);
    if (instead !== undefined) {
      await record(isMadeUp(trouble) ? 0 : instead.status);
      return 'code' in instead ? writeRefusal(instead, desk.operator().dialect) : instead;
    }
    return after(trouble, await work(), other);
  };
  return (endpoint, key, perform, record) =>
    desk.operator().faults.rules.length === 0 ? perform() : misbehave(endpoint, key, perform, record);
}

type Trouble = NonNullable<Strike['trouble']>;

/** Whether the status that is answered in the place of work may tell of an effect that there was not. */
function isMadeUp({ kind }: Trouble): boolean {
  return kind === 'page' || kind === 'astray';
}

/**
 * What is answered without any work done; undefined where the work goes on. `other` is an answer to a request about
 * another account.
 */
function before(
  trouble: Trouble,
  key: AccountKey,
  desk: Desk,
  other: Reply | undefined,
): Reply | Refused | undefined {
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
    case 'astray':
      return trouble.when === 'before' ? other : undefined;
    case 'expire-tokens':
      desk.store.expireTokens();
      return unauthorized;
    case 'restart':
      desk.restart(trouble.downMs);
      return silence('reset');
    case 'pause-supplier':
      pause(key.supplier, trouble.forMs, desk);
      return undefined;
    default:
      return undefined;
  }
}

function after(trouble: Trouble, reply: Reply, other: Reply | undefined): Reply {
  switch (trouble.kind) {
    case 'reset':
    case 'hang':
      return silence(trouble.kind);
    case 'html':
      return htmlPage(trouble.status);
    case 'page':
      return proxyPage(trouble.status, trouble.body);
    case 'astray':
      return trouble.when === 'after' ? (other ?? reply) : reply;
    case 'double_answer':
      return { ...reply, spoil: 'twice' };
    case 'gateway_after':
      return htmlPage(trouble.status);
    case 'drip':
    case 'interim':
      return { ...reply, spoil: trouble };
    case 'truncated':
      return { ...reply, spoil: 'truncate' };
    case 'malformed':
      return malformed(reply);
    default:
      return reply;
  }
}

function pause(supplier: string, forMs: number | undefined, desk: Desk): void {
  if (!Object.hasOwn(desk.operator().suppliers, supplier)) return;
  const set = (status: string) => desk.change({ suppliers: { [supplier]: { status } } });
  set('Paused');
  if (forMs !== undefined)
    desk.clock.sleep(forMs, desk.closing()).then(
      () => set('Ongoing'),
      () => undefined,
    );
}
