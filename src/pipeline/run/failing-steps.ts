import { isOfConnection } from '../../domain/connection-causes.ts';
import { requestTooLarge } from '../../domain/request-too-large.ts';
import type { FailingStep } from '../../domain/failing-step.ts';
import { parseJson, type JsonValue } from '../../domain/json.ts';
import { isExtraStep, type StepName } from '../../domain/steps.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { RunEvent } from './run-events.ts';
import { factsOf, TellingApart } from './telling-apart.ts';

/** Accounts that must fail at a step for one cause before the step is reported. */
const reportedFrom = 5;
/** The first accounts that pass a step are compared, then one of so many; after a failure, all until there are enough. */
const firstCompared = 32;
const comparedEach = 64;
const enoughCompared = 200;

/** How a step of an account ended: StepResult, without its problems. */
interface StepEnd {
  readonly state: string;
  readonly code: string;
}

interface Seen {
  readonly causes: Map<string, number>;
  readonly apart: TellingApart;
  failed: number;
  passed: number;
}

/**
 * Decides whether failures are those of one step, while everything else works: then the platform is not unavailable. Tells
 * what the accounts that failed there have in common.
 */
export class FailingSteps {
  readonly #steps = new Map<StepName, Seen>();
  /** The step at which the latest accounts failed; whether another endpoint has answered since the first of them. */
  #row: { readonly step: StepName; isElsewhereAnswered: boolean } | undefined;

  /** Learns from every request. */
  hear(event: RunEvent): void {
    if (event.type !== 'request' || this.#row === undefined) return;
    const isAnswered = event.outcome === 'ok' || event.outcome === 'refused' || event.outcome === 'not-found';
    const isElsewhere = event.step !== this.#row.step || event.isQuestion === true;
    if (isAnswered && isElsewhere) this.#row.isElsewhereAnswered = true;
  }

  /** Learns how a step of an account ended. */
  see(step: StepName, result: StepEnd, plan: ReadyPlan): void {
    if (result.state === 'done') this.#passed(step, plan);
    else if (isFailure(result)) this.#failed(step, result.code, plan);
  }

  /**
   * Whether the latest failures are those of one step that nothing depends on, and another endpoint has answered meanwhile.
   */
  get isOneStep(): boolean {
    return this.#row !== undefined && isExtraStep(this.#row.step) && this.#row.isElsewhereAnswered;
  }

  /** The steps at which several accounts failed, most first. */
  get found(): readonly FailingStep[] {
    return [...this.#steps]
      .flatMap(([step, { causes, apart, passed }]) => {
        const [most] = [...causes].sort(([, one], [, other]) => other - one);
        if (most === undefined || most[1] < reportedFrom) return [];
        const [cause, failed] = most;
        const { compared } = apart;
        return [{ step, cause, failed, passed, differences: apart.differences(), compared }];
      })
      .sort((one, other) => other.failed - one.failed);
  }

  #passed(step: StepName, plan: ReadyPlan): void {
    if (this.#row?.step === step) this.#row = undefined;
    const seen = this.#seen(step);
    seen.passed += 1;
    const isNeeded = seen.failed > 0 && seen.apart.compared < enoughCompared;
    if (isNeeded || seen.passed <= firstCompared || seen.passed % comparedEach === 0)
      seen.apart.passed(factsOf(payloadsOf(step, plan)));
  }

  #failed(step: StepName, cause: string, plan: ReadyPlan): void {
    if (this.#row?.step !== step) this.#row = { step, isElsewhereAnswered: false };
    const seen = this.#seen(step);
    seen.failed += 1;
    seen.causes.set(cause, (seen.causes.get(cause) ?? 0) + 1);
    seen.apart.failed(factsOf(payloadsOf(step, plan)));
  }

  #seen(step: StepName): Seen {
    const seen = this.#steps.get(step) ?? {
      causes: new Map(),
      apart: new TellingApart(),
      failed: 0,
      passed: 0,
    };
    this.#steps.set(step, seen);
    return seen;
  }
}

/** Whether the platform, or a gateway, failed; of a step that cannot be repeated, the effect is then uncertain. */
function isFailure({ state, code }: StepEnd): boolean {
  if (state === 'failed') return !isOfConnection(code) && code !== requestTooLarge;
  return state === 'uncertain' && /^(?:gateway_)?http_5\d\d$/.test(code);
}

function payloadsOf(step: StepName, { print, requests }: ReadyPlan): readonly JsonValue[] {
  const account = print.payloadBody.toString();
  const own = isExtraStep(step) ? requests(step).map(({ body }) => body.toString()) : [];
  return [account, ...own].flatMap((text) => (text === '' ? [] : [parseJson(text)]));
}
