import type {
  Answer,
  PlatformClient,
  PostEndpoint,
  TransferStatusBody,
} from '../../../src/client/platform-client.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ExtraStepName } from '../../../src/domain/steps.ts';
import { fingerprint } from '../../../src/pipeline/hash.ts';
import { lost, notSent, ok, refused, throttled, unauthorized } from '../rig.ts';
import { effectsIn } from './accounts.ts';
import type { AnyAnswer, ModelPlatform } from './model-platform.ts';
import { Violation } from './oracle.ts';
import type { Fate } from './mortal-journal.ts';
import type { Fault } from './schedule.ts';
import type { Life, World } from './world.ts';

/** How long an effect that comes late may be under way, in ms: less than the quiet period. */
const lateMs = 4_000;
/** How long one takes that is stuck: more than anybody's patience. */
export const stuckMs = 60_000;

const steps: Partial<Record<PostEndpoint, ExtraStepName>> = {
  notes: 'notes',
  transactions: 'transactions',
  agreements: 'agreements',
  billingDocuments: 'billing-documents',
  statements: 'statements',
  paymentInstruction: 'payment-instruction',
};

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

/** What lies between the runs and the platform, for all runs of a schedule. */
export class Wire {
  readonly platform: ModelPlatform;
  readonly world: World;
  requests = 0;
  faults = 0;
  readonly #sent = new Map<string, readonly string[]>();
  #flights: Flight[] = [];

  constructor(platform: ModelPlatform, world: World) {
    this.platform = platform;
    this.world = world;
  }

  /** What a fingerprint in the journal stands for: the effects of the request that it names, if that ever left. */
  effectsOf(account: string, step: ExtraStepName, hash: string): readonly string[] | undefined {
    return this.#sent.get(`${account} ${step} ${hash}`);
  }

  /** Lets everything that is under way arrive. */
  landAll(): void {
    this.world.now = Math.max(this.world.now, ...this.#flights.map(({ at }) => at));
    this.#land();
  }

  /** A client for one run. `seen` is shown each request before it leaves. */
  client(
    life: Life,
    fate: Fate,
    faults: ReadonlyMap<number, Fault>,
    seen: (account: string, endpoint: PostEndpoint | 'transferStatus', body: JsonObject) => Promise<void>,
  ): PlatformClient {
    let sent = 0;
    const send = async (
      account: string,
      endpoint: PostEndpoint | 'transferStatus',
      body: JsonObject,
      arrive: () => AnyAnswer,
    ): Promise<AnyAnswer> => {
      this.world.stir();
      const fault = faults.get(sent);
      sent += 1;
      await seen(account, endpoint, body);
      fate(`before ${endpoint} of ${account} leaves`);
      // A process that is only stopped has it on its way.
      if (life.isOver) await life.breath();
      this.requests += 1;
      if (fault !== undefined) this.faults += 1;
      this.#land();
      const isCreation = endpoint === 'process' && body['dry_run'] !== true;
      if (isCreation && this.#isCreationUnderWay(account))
        throw new Violation(`process of ${account} is sent while an earlier one is still under way.`);
      const answer = this.#meet(fault, endpoint, { account, isCreation }, arrive);
      fate(`after ${endpoint} of ${account}${fault === undefined ? '' : ` (${fault})`}`);
      await life.breath();
      this.world.stir();
      return answer;
    };
    return {
      origin: 'https://platform.example',
      authenticate: () => Promise.resolve({ kind: 'ok', status: 200, body: undefined }),
      discardToken: () => undefined,
      post: (endpoint, sent, options) => {
        const text = sent.toString();
        const body = JSON.parse(text) as JsonObject;
        const account = body['external_account_number'] as string;
        this.#remember(account, endpoint, body, text);
        return send(account, endpoint, body, () => this.platform.post(endpoint, body, options?.query));
      },
      transferStatus: ({ account }) => {
        const isInProgress = () => this.#flights.some((one) => one.account === account && one.isInProgress);
        return send(account, 'transferStatus', {}, () =>
          isInProgress() ? ok({ status: 'IN_PROGRESS' }, 200) : this.platform.transferStatus(account),
        ) as Promise<Answer<TransferStatusBody>>;
      },
      list: () => Promise.resolve({ kind: 'ok', status: 200, body: undefined }),
      close: () => Promise.resolve(),
    };
  }

  #isCreationUnderWay(account: string): boolean {
    return this.#flights.some((one) => one.account === account && one.isCreation);
  }

  #land(): void {
    const landing = this.#flights.filter(({ at }) => at <= this.world.now).sort((a, b) => a.at - b.at);
    this.#flights = this.#flights.filter((flight) => !landing.includes(flight));
    for (const flight of landing) flight.land();
  }

  #meet(
    fault: Fault | undefined,
    endpoint: PostEndpoint | 'transferStatus',
    request: Pick<Flight, 'account' | 'isCreation'>,
    arrive: () => AnyAnswer,
  ): AnyAnswer {
    const after = (answer: AnyAnswer): AnyAnswer => {
      arrive();
      return answer;
    };
    const later = (ms: number, isInProgress: boolean): AnyAnswer => {
      if (endpoint !== 'transferStatus')
        this.#flights.push({
          at: this.world.now + ms,
          ...request,
          isInProgress,
          land: () => void arrive(),
        });
      return lost('headers_timeout');
    };
    switch (fault) {
      case undefined:
        return arrive();
      case 'not-sent':
        return notSent;
      case 'reset-before':
        return lost();
      case 'reset-after':
        return after(lost());
      case 'unreadable-after':
        return after({ kind: 'unknown', cause: 'unreadable_answer', status: 201 });
      case 'http-500-after':
        // Of a payment instruction the interface says that 500 had no effect.
        return endpoint === 'paymentInstruction' ? server(500) : after(server(500));
      case 'http-500-before':
        return server(500);
      case 'http-503-before':
        return server(503);
      case 'http-503-after':
        return after(server(503));
      case 'late':
        return later(lateMs, false);
      case 'in-progress':
        return later(lateMs, endpoint === 'process');
      case 'stuck':
        return endpoint === 'process' ? later(stuckMs, true) : later(lateMs, false);
      case 'throttled':
        return throttled();
      case 'throttled-for-long':
        return throttled(7_000);
      case 'unauthorized':
        return unauthorized;
      case 'refused':
        return refused('passing', 'import_supplier');
      case 'supplier-paused':
        return ofMigration.has(endpoint) ? refused('import_supplier_migration_not_ongoing') : arrive();
      case 'wordless-400':
        return wordless('refused', 400);
      case 'wordless-404':
        return wordless('not-found', 404);
    }
  }

  #remember(account: string, endpoint: PostEndpoint, body: JsonObject, text: string): void {
    const step = steps[endpoint];
    if (step === undefined) return;
    const effects = effectsIn(body, step);
    const name = (hash: string) => `${account} ${step} ${hash}`;
    this.#sent.set(name(fingerprint(text)), effects);
    this.#sent.set(name(`${fingerprint(effects.join(','))}:${effects.length}`), effects);
    for (const effect of effects) this.#sent.set(name(`${fingerprint(effect)}:1`), [effect]);
  }
}

function server(status: number): AnyAnswer {
  return { kind: 'unknown', cause: `http_${status}`, status };
}

function wordless(kind: 'refused' | 'not-found', status: number): AnyAnswer {
  return { kind, status, refusal: { problems: [], code: `http_${status}`, detail: '', wouldImport: false } };
}
