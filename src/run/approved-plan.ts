import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { exitCodes } from '../domain/exit-codes.ts';
import { plannedActions } from '../domain/account-state.ts';
import { stepNames } from '../domain/steps.ts';
import type { AccountFilter } from '../pipeline/run/account-filter.ts';
import { isTaken } from '../pipeline/run/account-filter.ts';
import type { ForecastAccount } from '../pipeline/run/plan-migration.ts';
import type { ReadyPlan } from '../pipeline/account/ready-plan.ts';
import { counted } from '../report/format.ts';
import { CannotStart } from '../host/cannot-start.ts';

const head = z.object({
  type: z.literal('plan'),
  version: z.literal(1),
  platform: z.string(),
  supplier: z.string(),
  export: z.string(),
});

const line = z.object({
  type: z.literal('account'),
  supplier: z.string(),
  account: z.string(),
  plan: z.enum(plannedActions),
  steps: z.array(z.enum(stepNames)),
  data: z.string(),
});
type Line = z.infer<typeof line>;

const end = z.object({ type: z.literal('end'), accounts: z.number(), sha256: z.string() });

/** More differences than these are counted, not named. */
const mostNamed = 10;

const remedy =
  'Nothing was sent, because this is not what was planned. Make a new plan with migrate plan --out, and have it approved.';

/**
 * A plan that was written by `migrate plan --out`, read again line by line as often as needed: no account is kept in
 * memory. Every method throws CannotStart.
 */
export class ApprovedPlan {
  readonly #path: string;
  readonly #head: z.infer<typeof head>;
  /** The digest in its end. */
  readonly #sha256: string;

  private constructor(path: string, first: z.infer<typeof head>, sha256: string) {
    this.#path = path;
    this.#head = first;
    this.#sha256 = sha256;
  }

  /** Opens the file at an absolute path, if it is whole and as it was written. */
  static async open(path: string): Promise<ApprovedPlan> {
    const name = basename(path);
    const digest = createHash('sha256');
    let first: z.infer<typeof head> | undefined;
    let last: z.infer<typeof end> | undefined;
    let count = 0;
    for await (const { text, number } of textLines(path)) {
      if (last !== undefined) throw refused(name, `line ${number} follows its end`);
      const record = parsed(text);
      last = end.safeParse(record).data;
      if (last !== undefined) continue;
      digest.update(`${text}\n`);
      if (number === 1) {
        first = head.safeParse(record).data;
        if (first === undefined) throw refused(name, 'its first line is not that of a plan');
      } else if (!line.safeParse(record).success) throw refused(name, `line ${number} is not an account`);
      else count += 1;
    }
    if (first === undefined) throw refused(name, 'it is empty');
    if (last === undefined) throw refused(name, 'its end is missing');
    if (last.accounts !== count || last.sha256 !== digest.digest('hex'))
      throw refused(name, 'it was changed after it was written');
    return new ApprovedPlan(path, first, last.sha256);
  }

  /** Refuses a run on another platform, or of another supplier. */
  requirePlace(platform: string, supplier: string | undefined): void {
    const planned = this.#head;
    if (planned.platform !== platform)
      throw refusedRun([
        `The plan is for ${placeName(planned.platform)}, but this run is for ${placeName(platform)}.`,
      ]);
    if (planned.supplier !== (supplier ?? ''))
      throw refusedRun([
        `The plan takes ${takenName(planned.supplier)}, but this run takes ${takenName(supplier ?? '')}.`,
      ]);
  }

  /**
   * Compares what a run would do now, in the order of the export, with the plan. What the plan has and was
   * done in the meantime does not count as a difference, so that an interrupted run can be continued;
   * whatever else would be sent does.
   */
  startComparison(): PlanComparison {
    return new PlanComparison(this.#lines());
  }

  /**
   * Passes the accounts of a run on while they have the data that was planned; rejects at the first that has not. Once the run
   * drains, nothing more is sent: accounts are passed on unread, and not all of them.
   */
  async *following(
    plans: AsyncIterable<ReadyPlan>,
    filter: AccountFilter,
    draining: AbortSignal,
  ): AsyncGenerator<ReadyPlan> {
    const lines = this.#lines();
    let next = await lines.next();
    try {
      for await (const plan of plans) {
        const { account } = plan.key;
        if (draining.aborted) {
          yield plan;
          continue;
        }
        if (next.done !== true && next.value.account === account) {
          if (next.value.data !== plan.print.planHash) throw changedMeanwhile(account);
          next = await lines.next();
        } else if (isTaken(plan.key, filter)) throw changedMeanwhile(account);
        yield plan;
      }
    } finally {
      await lines.return(undefined);
    }
  }

  async *#lines(): AsyncGenerator<Line, undefined> {
    const digest = createHash('sha256');
    for await (const { text, number } of textLines(this.#path)) {
      const record = parsed(text);
      if (end.safeParse(record).success) break;
      digest.update(`${text}\n`);
      if (number > 1) yield line.parse(record);
    }
    if (digest.digest('hex') !== this.#sha256)
      throw refused(basename(this.#path), 'it was changed while it was used');
    return undefined;
  }
}

/** Finds the differences between a plan and what a run would do now. */
export class PlanComparison {
  readonly #lines: AsyncGenerator<Line, undefined>;
  readonly #found: string[] = [];
  #count = 0;
  /** Whether the accounts are no longer the same ones: further comparison says nothing. */
  #isLost = false;

  constructor(lines: AsyncGenerator<Line, undefined>) {
    this.#lines = lines;
  }

  async add({ key: { account }, steps, planHash }: ForecastAccount): Promise<void> {
    if (this.#isLost) return;
    const next = await this.#lines.next();
    if (next.done === true) this.#lose(`${account} is in the export, but not in the plan.`);
    else if (next.value.account !== account)
      this.#lose(
        `The accounts of the export differ from those of the plan: ${account} is in place of ${next.value.account}.`,
      );
    else if (next.value.data !== planHash)
      this.#note(`${account} has other data than in the plan: the export or the mapping has changed.`);
    else {
      const planned = next.value.steps;
      const others = steps.filter((step) => !planned.includes(step));
      if (others.length > 0)
        this.#note(`${account} has more to send than in the plan: ${others.join(', ')}.`);
    }
  }

  /** Call after the last account. Throws CannotStart if anything differs. */
  async finish(): Promise<void> {
    const next = this.#isLost ? undefined : await this.#lines.next();
    await this.#lines.return(undefined);
    if (next !== undefined && next.done !== true)
      this.#note(`${next.value.account} is in the plan, but not in the export.`);
    const more = this.#count - this.#found.length;
    if (this.#count > 0)
      throw refusedRun([
        ...this.#found,
        ...(more > 0 ? [`${counted(more, 'more account')} differ from the plan.`] : []),
      ]);
  }

  #lose(difference: string): void {
    this.#note(difference);
    this.#isLost = true;
  }

  #note(difference: string): void {
    this.#count += 1;
    if (this.#found.length < mostNamed) this.#found.push(difference);
  }
}

function placeName(platform: string): string {
  return platform === 'embedded' ? 'the embedded platform' : platform;
}

function takenName(supplier: string): string {
  return supplier === '' ? 'all suppliers' : `only ${supplier}`;
}

function refusedRun(differences: readonly string[]): CannotStart {
  return new CannotStart(exitCodes.usage, [...differences, remedy]);
}

function changedMeanwhile(account: string): CannotStart {
  return new CannotStart(
    exitCodes.usage,
    `The export changed during the run: ${account} is not as planned. Its requests were not sent, and the run ended. Make a new plan with migrate plan --out.`,
  );
}

function refused(name: string, why: string): CannotStart {
  return new CannotStart(
    exitCodes.usage,
    `--plan: ${name} cannot be used: ${why}. Write it again with migrate plan --out.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lines of a file, from 1; a last one that does not end is one too. */
async function* textLines(path: string): AsyncGenerator<{ readonly text: string; readonly number: number }> {
  let rest = '';
  let number = 0;
  try {
    if (!(await stat(path)).isFile()) throw refused(basename(path), 'it is not a regular file');
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = `${rest}${String(chunk)}`.split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) yield { text, number: (number += 1) };
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error
      ? refused(basename(path), 'it is missing, or not readable')
      : error;
  }
  if (rest !== '') yield { text: rest, number: number + 1 };
}
