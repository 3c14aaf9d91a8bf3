import type { AccountPlan, BoundMapping } from '../../mapping/plan.ts';
import type { Recognise } from '../../source/export.ts';
import type { OpenedExport } from '../../source/opened-export.ts';
import type { Binding } from './bind-mapping.ts';
import { asData, isData, type PlansPart, type RangesElsewhere } from './elsewhere.ts';
import type { Plans } from './plans.ts';
import { isPure } from './pure-module.ts';
import { unbroken } from './unbroken.ts';

/** What an export is bound with besides its rows. */
interface BoundWith extends Pick<Plans, 'faults' | 'sources' | 'codeTables'> {
  readonly mapping: Omit<Binding, 'files'>;
  /** The path of the mapping's module. */
  readonly module: string | undefined;
}

/** An export that was read once to its end, and a mapping that was bound to its tables. */
export class BoundExport implements Plans {
  readonly total: number;
  readonly faults: Plans['faults'];
  readonly ignoredRows: number;
  readonly counts: Plans['counts'];
  readonly codeTables: Plans['codeTables'];
  readonly sources: Plans['sources'];
  readonly #opened: OpenedExport;
  readonly #bound: BoundMapping;
  readonly #with: BoundWith;

  constructor(opened: OpenedExport, bound: BoundMapping, boundWith: BoundWith) {
    this.#opened = opened;
    this.#bound = bound;
    this.#with = boundWith;
    this.total = opened.accounts;
    this.ignoredRows = opened.ignoredRows;
    this.counts = opened.counts;
    this.faults = boundWith.faults;
    this.codeTables = boundWith.codeTables;
    this.sources = boundWith.sources;
  }

  get plans(): AsyncIterable<AccountPlan> {
    return { [Symbol.asyncIterator]: () => this.plansOf() };
  }

  async *plansOf(isWanted?: (account: string) => boolean): AsyncGenerator<AccountPlan> {
    for await (const bundle of unbroken(this.#opened.bundles(isWanted))) yield this.#bound(bundle);
  }

  async *plansAmong(accounts: ReadonlySet<string>): AsyncGenerator<AccountPlan> {
    for await (const bundle of unbroken(this.#opened.bundlesAmong(accounts))) yield this.#bound(bundle);
  }

  async *plansSince(
    recognise: Recognise,
    isWanted: (account: string) => boolean,
  ): AsyncGenerator<AccountPlan> {
    for await (const bundle of unbroken(this.#opened.bundlesSince(recognise, isWanted)))
      yield { ...this.#bound(bundle), rows: bundle.rows };
  }

  partsOf(isWanted: (account: string) => boolean): readonly PlansPart[] {
    const plans = { [Symbol.asyncIterator]: () => this.plansOf(isWanted) };
    return [
      {
        accounts: this.total,
        plans,
        plansSince: (recognise) => this.plansSince(recognise, isWanted),
        elsewhere: () => this.#elsewhere(isWanted),
      },
    ];
  }

  async *numbers(signal: AbortSignal): AsyncGenerator<string> {
    for await (const { account } of unbroken(this.#opened.bundles())) {
      signal.throwIfAborted();
      yield account;
    }
  }

  close(): void {
    this.#opened.close();
  }

  async #elsewhere(isWanted: (account: string) => boolean): ReturnType<PlansPart['elsewhere']> {
    const { mapping, module } = this.#with;
    const binding = { ...mapping, files: this.#opened.files.map(asData) };
    if (!isData(binding) || (module !== undefined && !(await isPure(module)))) return undefined;
    return {
      binding,
      ranges: this.#ranges(isWanted),
      packed: () => unbroken(this.#opened.packed(isWanted)),
    };
  }

  #ranges(isWanted: (account: string) => boolean): RangesElsewhere | undefined {
    const found = this.#opened.ranges;
    if (found === undefined) return undefined;
    const { order, files, mostBytes, inRanges, forget } = found;
    return { files: { order, files, mostBytes }, ranges: inRanges(bytesPerRange), isWanted, forget };
  }
}

/** Bytes of a range: its accounts are few enough to wait in memory for those before it. */
const bytesPerRange = 1024 * 1024;
