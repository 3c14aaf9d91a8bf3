import { clientOver } from '../../../src/client/create-client.ts';
import type { HttpExchange, WireRequest } from '../../../src/client/http-exchange.ts';
import type { PlatformClient } from '../../../src/client/platform-client.ts';
import { isJsonObject, parseJson } from '../../../src/domain/json.ts';
import { extraStepNames, type ExtraStepName } from '../../../src/domain/steps.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import { fingerprint } from '../../../src/pipeline/hash.ts';
import { effectsIn } from './accounts.ts';
import { Connections, type Connection } from './connections.ts';
import { exchanged, html, json, refusal, type HttpReply, type Made } from './http.ts';
import { isForeignNumber, type ModelPlatform } from './model-platform.ts';
import type { Fate } from './crashing-journal.ts';
import { Violation } from './oracle.ts';
import { readingReply, type ReadBack } from './readings.ts';
import { readRequest, stepOf, type Request } from './request.ts';
import { pages, type Fault } from './schedule.ts';
import { Stretches, type Stretch } from './stretch.ts';
import { isSuccess, isTellable } from './tellable.ts';
import type { Life, World } from './world.ts';

/** How long an effect that comes late is under way, in ms: less than the quiet period. */
const lateMs = 4_000;
/** The same on a slow way: less than a request may be under way at all. */
const slowMs = 35_000;
/** How long one takes that is stuck: more than anybody's patience. */
export const stuckMs = 60_000;
/** For how long a cache has had what it answers with, in ms: no jump of a clock is as long, since its Date would be right then. */
const storedMs = 4_380_000;
/** How long a client waits for an answer that drips, in ms. */
const patienceMs = 30_000;

/** Endpoints that refuse a supplier which is not Ongoing. */
const ofMigration: ReadonlySet<string> = new Set(['validate', 'stage', 'process']);

/** A request whose effect is still to come. */
interface Flight {
  readonly at: number;
  readonly account: string;
  /** It is to create the account; a dry run creates nothing. */
  readonly isCreation: boolean;
  readonly isInProgress: boolean;
  land(): void;
}

/** One run's side of the wire. */
export interface Sender {
  readonly life: Life;
  readonly fate: Fate;
  /** What becomes of the n-th request. */
  readonly faults: ReadonlyMap<number, Fault>;
  /** From which request on every one is sent twice. */
  readonly doublesFrom?: number | undefined;
  readonly stretch?: Stretch | undefined;
  /** Shown each request about an account before it leaves. */
  readonly seen: (request: Request) => Promise<void>;
}

/** What comes back of a request: a reply, which may drip, or none. */
type Met =
  | { readonly reply: HttpReply; readonly retryAfter?: string; readonly made?: Made }
  | { readonly drips: HttpReply }
  | HttpExchange;

/** What lies between the runs and the platform, for all runs of a schedule. */
export class Wire {
  readonly platform: ModelPlatform;
  readonly world: World;
  requests = 0;
  faults = 0;
  /** Replies that were not the platform's, and that nobody could have told from its own. */
  untellable = 0;
  /** Accounts that a fault has met. */
  readonly touched = new Set<string>();
  /** Accounts that were refused for a reason that passes: a person looks after them. */
  readonly passing = new Set<string>();
  /** Numbers (`account number`) that accounts were told, and that are those of accounts of which the journal may not know. */
  readonly #misnumbered = new Set<string>();
  /** Numbers (`account number`) that accounts were told, and that are those of other accounts. */
  readonly #toldAnothers = new Set<string>();
  /** Those of them of which no journal could tell, when it was looked at. */
  readonly #untoldNumbers = new Set<string>();
  /** Accounts that were created by a request that no fault met. */
  readonly createdHere = new Set<string>();
  /** Accounts whose creation came unseen. */
  readonly createdUnseen = new Set<string>();
  /** How often an effect of a step (`account step effect`) came unseen. */
  readonly #unseen = new Map<string, number>();
  /** Accounts, and effects of a step (`account step effect`), that such a reply was about. */
  readonly #misled = new Set<string>();
  /** Accounts of others, of which nobody can tell that they are not ours. */
  readonly mistaken = new Set<string>();
  /** A journal that knew what was sent is gone. */
  isJournalLost = false;
  readonly #sent = new Map<string, readonly string[]>();
  /** The latest reply to each account, by endpoint. */
  readonly #replies = new Map<string, Map<string, HttpReply>>();
  #flights: Flight[] = [];

  /** Transactions of refused requests of several, by account and effect. */
  readonly #ofRefused = new Set<string>();
  readonly #isSlow: boolean;

  readonly #readBack: ReadBack | undefined;
  /** Queries that read accounts back. */
  #queries = 0;

  constructor(platform: ModelPlatform, world: World, isSlow: boolean, readBack?: ReadBack) {
    this.platform = platform;
    this.world = world;
    this.#isSlow = isSlow;
    this.#readBack = readBack;
  }

  /** What a fingerprint in the journal stands for: the effects of the request that it names, if that ever left. */
  effectsOf(account: string, step: ExtraStepName, hash: string): readonly string[] | undefined {
    return this.#sent.get(`${account} ${step} ${hash}`);
  }

  /** Whether nobody could tell what became of an account or, where one is named, of an effect of it. */
  isMisled(account: string, step?: ExtraStepName, effect = ''): boolean {
    return this.#misled.has(step === undefined ? account : `${account} ${step} ${effect}`);
  }

  /** Whether the account was told this number, which is that of an account of which the journal may not know. */
  wasToldNumber(account: string, number: string): boolean {
    return this.#misnumbered.has(`${account} ${number}`);
  }

  /**
   * Whether an account was told the number of another one, of which its journal does not know yet. `isKnown`: whether the
   * journal has another account with that number.
   */
  isMistold(account: string, number: string, isKnown: boolean): boolean {
    const told = `${account} ${number}`;
    if (isKnown || !this.#toldAnothers.has(told)) return false;
    if (!this.#misnumbered.has(told) && !this.#untoldNumbers.has(told)) this.untellable += 1;
    this.#untoldNumbers.add(told);
    return true;
  }

  /** How often an effect came that nobody could know of: it may be there once more for each. */
  unseen(account: string, step: ExtraStepName, effect: string): number {
    return this.#unseen.get(`${account} ${step} ${effect}`) ?? 0;
  }

  /**
   * What a request does comes unseen: it was refused by such a reply, or a run sends it whose journal is gone while another
   * one is at work.
   */
  comesUnseen({ endpoint, account, body, isCreation }: Request): void {
    const step = stepOf(endpoint);
    if (isCreation) this.createdUnseen.add(account);
    if (step !== undefined)
      for (const effect of effectsIn(body, step)) this.mayComeAgain(account, step, effect);
  }

  /** An effect may come once more: nobody can notice that it is there. */
  mayComeAgain(account: string, step: ExtraStepName, effect: string): void {
    const name = `${account} ${step} ${effect}`;
    this.#unseen.set(name, 1 + (this.#unseen.get(name) ?? 0));
  }

  /** From now on nobody can tell whether this account, which is not ours, was made by a journal that is gone. */
  mistake(account: string): void {
    if (this.mistaken.has(account)) return;
    this.untellable += 1;
    this.mistaken.add(account);
  }

  /** What may be sent of an account, so that it is known by its fingerprint where it never leaves. */
  expect({ key: { account }, extras }: AccountPlan): void {
    for (const step of extraStepNames)
      for (const payload of extras[step]) {
        const effects = effectsIn(payload, step);
        for (let from = 0; from < effects.length; from += 1)
          for (let to = from + 1; to <= effects.length; to += 1)
            this.#rememberAs(account, step, effects.slice(from, to));
        if (effects.length === 1) this.#sent.set(`${account} ${step} ${fingerprint(effects[0]!)}`, effects);
      }
  }

  /** Lets everything that is under way arrive. */
  landAll(): void {
    this.world.now = Math.max(this.world.now, ...this.#flights.map(({ at }) => at));
    this.#land();
  }

  /** A client for one run: the real one, over this wire. */
  client(sender: Sender): PlatformClient {
    const clock = this.world.clock(sender.life);
    const connections = new Connections();
    const staged = new Set<string>();
    const exposed = new Set<string>();
    const stretches = new Stretches(sender.stretch);
    let sent = 0;
    return clientOver(
      {
        exchange: (request, isFresh) => {
          sent += 1;
          const isQuery = request.path.startsWith('/v1/graphql');
          const isSpared = this.#readBack?.isDisturbed === false;
          const met = sender.faults.get(sent - 1);
          if (isQuery) return this.#read(request, isSpared ? undefined : met, sender.life);
          const { account, endpoint } = readRequest(request);
          const isDoubling = sender.doublesFrom !== undefined && sent > sender.doublesFrom;
          const stretched = stretches.faultOf({
            ...{ n: sent - 1, now: this.world.now, account, step: stepOf(endpoint) },
            isConnecting: connections.needsNew(isFresh),
          });
          const own = isSpared && endpoint === 'transferStatus' ? undefined : met;
          const fault = own ?? (isDoubling ? 'doubled' : stretched);
          return this.#exchange(request, fault, connections.take(isFresh), {
            ...{ ...sender, exposed, isDoubling },
            isKept: !isFresh,
            connections,
            staged,
            wait: (ms: number) => clock.sleep(ms, request.signal),
          });
        },
        close: () => Promise.resolve(),
      },
      'https://platform.example',
      { credentials: { token: 'token' }, clock },
    );
  }

  /**
   * Whether a transaction may have come with a refused request, before the one that this was refused for: nothing says what became
   * of those.
   */
  #isOfRefused({ account, endpoint, body }: Request, met: Met): boolean {
    if (endpoint !== 'transactions') return false;
    const names = effectsIn(body, 'transactions').map((effect) => `${account} ${effect}`);
    const isKnown = names.some((name) => this.#ofRefused.has(name));
    if ('reply' in met && isRefusal(met.reply) && names.length > 1)
      for (const name of names) this.#ofRefused.add(name);
    return isKnown;
  }

  /** A query, which has no effect: of the faults, only those that lose its answer, or refuse it, make a difference. */
  async #read({ body = '' }: WireRequest, fault: Fault | undefined, life: Life): Promise<HttpExchange> {
    this.world.stir();
    if (life.isOver) await life.breath();
    this.requests += 1;
    this.#land();
    if (fault !== undefined) this.faults += 1;
    const asked = (this.#queries += 1) - 1;
    const { now } = this.world;
    const readBack = this.#readBack;
    const reply =
      readBack === undefined
        ? html(404)
        : readingReply(readBack, this.platform, body.toString(), { now, asked });
    await life.breath();
    this.world.stir();
    if (fault === undefined) return exchanged(reply);
    if (fault === 'throttled' || fault === 'throttled-for-long')
      return exchanged(json(429, { detail: 'No.' }));
    if (fault === 'unauthorized' || fault === 'denied') return exchanged(json(401, { detail: 'No.' }));
    if (fault.startsWith('page')) return exchanged(html(200));
    return fault === 'not-sent'
      ? { kind: 'not-sent', cause: 'connection_refused' }
      : { kind: 'no-reply', cause: 'connection_reset' };
  }

  async #exchange(
    wired: WireRequest,
    fault: Fault | undefined,
    connection: Connection,
    { life, fate, seen, ...sender }: SenderSide,
  ): Promise<HttpExchange> {
    const request = readRequest(wired);
    const { account, endpoint, isCreation } = request;
    const wasTouched = this.touched.has(account);
    this.world.stir();
    this.#remember(request);
    if (account !== '') await seen(request);
    fate(`before ${endpoint} of ${account} leaves`);
    // A process that is only stopped has it on its way.
    if (life.isOver) await life.breath();
    this.requests += 1;
    if (fault !== undefined) {
      this.faults += 1;
      this.touched.add(account);
    }
    this.#land();
    if (isCreation && this.#isCreationUnderWay(account) && !this.isMisled(account))
      throw new Violation(`process of ${account} is sent while an earlier one is still under way.`);
    const isUnrecognised = endpoint === 'agreements' && !this.platform.ways.recognisesAgreements;
    const isBlind = isUnrecognised || endpoint === 'paymentInstruction';
    if (isBlind && sender.exposed.has(account))
      throw new Violation(`${endpoint} of ${account} is sent after the platform had what was never sent.`);
    if (endpoint === 'stage') sender.staged.add(account);
    const isDoubled = fault === 'doubled' && isCreation;
    // Whoever staged it in an earlier run cannot tell that nobody created it since.
    if (isDoubled && !sender.staged.has(account)) this.#createdBesides(account);
    const met = this.#meet(fault, request, connection);
    const isCreatedHere = this.createdHere.has(account) && !this.createdUnseen.has(account);
    const isExplained = this.#isOfRefused(request, met);
    if (sender.isDoubling && isCreatedHere && !wasTouched && !isExplained && saysThere(met))
      sender.exposed.add(account);
    if (isCreation && fault === undefined) this.createdHere.add(account);
    // Of what a gateway says, and of a server that is behind, no person has to know: the runs find out themselves.
    const isPlatforms =
      fault === 'refused' || fault === 'supplier-paused' || fault?.startsWith('astray') === true;
    if (isPlatforms && 'reply' in met && isRefusal(met.reply)) this.passing.add(account);
    fate(`after ${endpoint} of ${account}${fault === undefined ? '' : ` (${fault})`}`);
    await life.breath();
    this.world.stir();
    if ('drips' in met) return await drip(met.drips, sender.wait);
    if (!('reply' in met)) return met;
    const { reply, retryAfter, made = {} } = met;
    if (sender.isKept) sender.connections.keep(connection);
    if (isSuccess(reply) && wired.take !== undefined) {
      const isWanted = wired.take(Buffer.from(reply.body));
      return exchanged({ ...reply, body: '' }, isWanted ? made : { fault: 'connection_reset' });
    }
    return exchanged(reply, { ...made, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }

  #isCreationUnderWay(account: string): boolean {
    return this.#flights.some((one) => one.account === account && one.isCreation);
  }

  #land(): void {
    const landing = this.#flights.filter(({ at }) => at <= this.world.now).sort((a, b) => a.at - b.at);
    this.#flights = this.#flights.filter((flight) => !landing.includes(flight));
    for (const flight of landing) flight.land();
  }

  /** The platform does what it is asked, and answers. */
  #arrive(request: Request): HttpReply {
    const { endpoint, account, body, query } = request;
    if (endpoint === 'transferStatus') {
      if (this.#flights.some((one) => one.account === account && one.isInProgress))
        return json(200, { status: 'IN_PROGRESS', kraken_account_number: '' });
      return this.platform.transferStatus(account);
    }
    if (endpoint === 'allProcesses') return this.platform.list('all');
    if (endpoint === 'pendingProcesses') return this.platform.list('pending');
    if (endpoint === 'importedProcesses') return this.platform.list('imported');
    return this.platform.post(endpoint, body, query);
  }

  #meet(fault: Fault | undefined, request: Request, connection: Connection): Met {
    const { endpoint, account, isCreation } = request;
    const arrive = (): HttpReply => this.#arrive(request);
    const instead = (reply: HttpReply, when: 'before' | 'after'): Met => {
      this.#compare(request, reply, when === 'after' ? arrive() : undefined);
      return { reply };
    };
    const after = (met: Met): Met => {
      arrive();
      return met;
    };
    const later = (ms: number, isInProgress: boolean): Met => {
      if (request.hasEffect)
        this.#flights.push({
          at: this.world.now + ms,
          account,
          isCreation,
          isInProgress,
          land: () => void arrive(),
        });
      return { kind: 'no-reply', cause: 'headers_timeout' };
    };
    switch (fault) {
      case undefined: {
        const { copy } = connection;
        connection.copy = undefined;
        const reply = arrive();
        if (copy === undefined) {
          this.#keep(request, reply);
          return { reply, made: { date: new Date(this.world.wall).toUTCString() } };
        }
        this.touched.add(account);
        this.#compare(request, copy, reply);
        return { reply: copy };
      }
      case 'double-answer': {
        const reply = arrive();
        connection.copy = reply;
        return { reply };
      }
      case 'not-sent':
        return { kind: 'not-sent', cause: 'connection_refused' };
      case 'reset-before':
        return { kind: 'no-reply', cause: 'connection_reset' };
      case 'reset-after':
        return after({ kind: 'no-reply', cause: 'connection_reset' });
      case 'unreadable-after':
        return exchanged({ ...arrive(), body: '{"' }, { fault: 'connection_reset' });
      case 'http-500-after':
        // Of a payment instruction the interface says that 500 had no effect.
        return instead(serverError, endpoint === 'paymentInstruction' ? 'before' : 'after');
      case 'http-500-before':
        return instead(serverError, 'before');
      case 'http-503-before':
        return instead(html(503), 'before');
      case 'http-503-after':
        return instead(html(503), 'after');
      case 'late':
        return later(this.#isSlow ? slowMs : lateMs, false);
      case 'in-progress':
        return later(lateMs, endpoint === 'process');
      case 'stuck':
        return endpoint === 'process' ? later(stuckMs, true) : later(lateMs, false);
      case 'throttled':
        return { reply: json(429, { detail: 'No.' }) };
      case 'throttled-for-long':
        return { reply: json(429, { detail: 'No.' }), retryAfter: '7' };
      case 'unauthorized':
        return { reply: json(401, { detail: 'Invalid token.' }) };
      case 'refused':
        return { reply: refusal({ code: 'passing', path: 'import_supplier' }, this.platform.ways.dialect) };
      case 'lagging':
        return this.#behind(request) ?? { reply: arrive() };
      case 'denied':
        return { reply: json(403, { detail: 'You do not have permission.', code: 'permission_denied' }) };
      case 'supplier-paused':
        if (!ofMigration.has(endpoint)) return { reply: arrive() };
        return {
          reply: refusal({ code: 'import_supplier_migration_not_ongoing' }, this.platform.ways.dialect),
        };
      case 'wordless-400':
        return { reply: html(400) };
      case 'wordless-404':
        return { reply: html(404) };
      case 'astray-before':
      case 'astray-after': {
        const other = this.#replyToAnother(request);
        if (other === undefined) return { reply: arrive() };
        return instead(other, fault === 'astray-before' ? 'before' : 'after');
      }
      case 'doubled':
        arrive();
        return { reply: this.#doubled(request, arrive) };
      case 'stale-aged':
      case 'stale-dated':
        return this.#stored(request, fault) ?? { reply: arrive() };
      case 'drip':
        return { drips: arrive() };
      case 'interim':
        return { drips: { ...arrive(), status: 0 } };
      default: {
        const [, page, when] = fault.split(' ') as ['page', keyof typeof pages, 'before' | 'after'];
        return instead(pages[page], when);
      }
    }
  }

  /** An earlier reply to the same, out of a cache: the request does not arrive. Undefined where there is none. */
  #stored({ endpoint, account }: Request, fault: 'stale-aged' | 'stale-dated'): Met | undefined {
    const reply = this.#replies.get(endpoint)?.get(account);
    if (reply === undefined) return undefined;
    const date = new Date(this.world.wall - storedMs).toUTCString();
    return { reply, made: fault === 'stale-aged' ? { age: String(storedMs / 1000) } : { date } };
  }

  /** What a server says that does not know of the last effect yet; undefined where there is none. */
  #behind({ endpoint, account }: Request): Met | undefined {
    const { dialect } = this.platform.ways;
    const held = this.platform.accounts.get(account);
    if (endpoint === 'process' && held?.staged !== undefined && held.number === undefined)
      return { reply: refusal({ status: 404, code: 'import_process_does_not_exist' }, dialect) };
    if (stepOf(endpoint) === undefined || held?.number === undefined) return undefined;
    return { reply: refusal({ status: 404, code: 'account_not_found' }, dialect) };
  }

  #createdBesides(account: string): void {
    if (this.platform.accounts.get(account)?.number !== undefined) return;
    this.untellable += 1;
    this.createdUnseen.add(account);
  }

  /** What the second copy does that the platform does not recognise comes unseen. */
  #doubled(request: Request, arrive: () => HttpReply): HttpReply {
    const effects = () => {
      const step = stepOf(request.endpoint);
      return step === undefined
        ? 0
        : (this.platform.accounts.get(request.account)?.effects[step].length ?? 0);
    };
    const before = effects();
    const reply = arrive();
    if (effects() > before) this.comesUnseen(request);
    return reply;
  }

  #keep({ endpoint, account }: Request, reply: HttpReply): void {
    const replies = this.#replies.get(endpoint) ?? new Map<string, HttpReply>();
    replies.delete(account);
    this.#replies.set(endpoint, replies.set(account, reply));
  }

  #replyToAnother({ endpoint, account }: Request): HttpReply | undefined {
    const replies = [...(this.#replies.get(endpoint) ?? [])];
    return replies.findLast(([other]) => other !== account)?.[1];
  }

  /** Notes where a reply says something else than the platform did, and nobody could tell. */
  #compare(request: Request, reply: HttpReply, own: HttpReply | undefined): void {
    const { endpoint, account, body } = request;
    const truth = request.hasEffect ? own : this.#arrive(request);
    if (reply.status === truth?.status && reply.body === truth.body) return;
    const isDone = truth !== undefined && isSuccess(truth);
    // A number is new to whoever is told it: that it is another's, only the journal of the other one knows.
    const told = request.isCreation || endpoint === 'transferStatus' ? numberIn(reply) : undefined;
    const isAnothers = told !== undefined && told !== this.platform.accounts.get(account)?.number;
    if (isAnothers) this.#toldAnothers.add(`${account} ${told}`);
    if (told !== undefined && (this.isJournalLost || isForeignNumber(told))) {
      this.untellable += 1;
      this.#misnumbered.add(`${account} ${told}`);
    }
    if (request.hasEffect && isDone && isSuccess(reply)) return;
    const { number } = this.platform.accounts.get(account) ?? {};
    if (isTellable(reply, { endpoint, account, body, number })) return;
    this.untellable += 1;
    const step = stepOf(endpoint);
    if (!isSuccess(reply)) this.passing.add(account);
    if (isDone && !isSuccess(reply)) this.comesUnseen(request);
    if (!isSuccess(reply) || (step === undefined && endpoint !== 'validate')) this.#misled.add(account);
    if (step !== undefined)
      for (const effect of effectsIn(body, step)) this.#misled.add(`${account} ${step} ${effect}`);
  }

  #remember({ account, endpoint, body, text }: Request): void {
    const step = stepOf(endpoint);
    if (step === undefined) return;
    const effects = effectsIn(body, step);
    this.#sent.set(`${account} ${step} ${fingerprint(text)}`, effects);
    this.#rememberAs(account, step, effects);
    for (const effect of effects) this.#rememberAs(account, step, [effect]);
  }

  #rememberAs(account: string, step: ExtraStepName, effects: readonly string[]): void {
    const hash = `${fingerprint(effects.join(','))}:${effects.length}`;
    this.#sent.set(`${account} ${step} ${hash}`, effects);
  }
}

/** One request's way through a run's side of the wire. */
interface SenderSide extends Sender {
  readonly connections: Connections;
  readonly isKept: boolean;
  /** Every request of the run is sent twice from now on. */
  readonly isDoubling: boolean;
  /** Accounts of which the run was told that the platform has what was never sent. */
  readonly exposed: Set<string>;
  /** Accounts that the run has staged. */
  readonly staged: Set<string>;
  readonly wait: (ms: number) => Promise<void>;
}

/** The number that a success gives an account. */
function numberIn(reply: HttpReply): string | undefined {
  const isJson = reply.mediaType === 'application/json';
  const body = isSuccess(reply) && isJson ? parseJson(reply.body) : {};
  const number = isJsonObject(body) ? body['kraken_account_number'] : undefined;
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/** All that was sent is there, though it was never sent before. */
function saysThere(met: Met): boolean {
  if (!('reply' in met)) return false;
  const { body } = met.reply;
  return body.includes('_ALREADY_EXISTS') && !body.includes('_SUCCESS') && !body.includes('ADDED_TO');
}

/** Of this one account's request: 401 and 429 mean the run. */
function isRefusal({ status }: HttpReply): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

const serverError = json(500, { detail: 'No.' });

/** A reply that never ends: its client gives it up, or is cut off. */
async function drip(reply: HttpReply, wait: (ms: number) => Promise<void>): Promise<HttpExchange> {
  const isCut = await wait(patienceMs).then(
    () => false,
    () => true,
  );
  if (reply.status === 0) return { kind: 'no-reply', cause: isCut ? 'aborted' : 'headers_timeout' };
  const begun = exchanged({ ...reply, body: reply.body.slice(0, 1) });
  return { ...begun, fault: isCut ? 'aborted' : 'body_timeout' } as HttpExchange;
}
