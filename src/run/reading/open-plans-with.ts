import { exitCodes } from '../../domain/exit-codes.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Fix } from '../../domain/fix.ts';
import type { AccountPlan } from '../../mapping/plan.ts';
import { printOf } from '../../pipeline/hash.ts';
import { counted } from '../../report/format.ts';
import { addressOf, nameUnder } from '../../source/places/address.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { PlansPart } from './elsewhere.ts';
import { openPlans, type PlansOptions } from './open-plans.ts';
import type { Plans } from './plans.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Environment, Reporter } from '../../host/environment.ts';

export interface PlansWithOptions extends PlansOptions {
  /** Directories whose accounts replace the same accounts of the export; the last one wins. */
  readonly with?: readonly string[] | undefined;
  /** Whether an account of those directories that the export does not have is a mistake: throws CannotStart. */
  readonly refusesNew?: boolean | undefined;
}

/** More accounts than these are counted, not named. */
const mostNamed = 3;

/**
 * Like `openPlans`, for an export and the `--with` directories that replace accounts of it. Each account comes once:
 * those of the export that no directory has, then those of each directory that no later one has. The account numbers
 * of the directories are kept in memory.
 */
export async function openPlansWith(
  environment: Pick<Environment, 'cwd'>,
  reporter: Reporter,
  path: string,
  { with: names = [], refusesNew = false, ...options }: PlansWithOptions,
): Promise<Plans> {
  const plans = await openPlans(environment, reporter, path, options);
  if (names.length === 0) return plans;
  const opened = [plans];
  const typed = new Map(
    plans.sources.flatMap(({ tables }) =>
      tables.map(({ name, numeric, dates }) => [name, definedFields({ numeric, dates })] as const),
    ),
  );
  const close = (): void => opened.forEach((one) => one.close());
  try {
    for (const name of names) opened.push(await openFix(environment, reporter, name, { ...options, typed }));
    const layers = await untilStopped(options.stop, (signal) => layersOf(environment, names, opened, signal));
    tellAdded(reporter, layers, refusesNew);
    const joined = new JoinedPlans(opened, layers);
    return {
      total: plans.total + addedBy(layers).size,
      faults: opened.flatMap(({ faults }) => faults),
      counts: plans.counts,
      codeTables: plans.codeTables,
      ignoredRows: opened.reduce((sum, { ignoredRows }) => sum + ignoredRows, 0),
      plans: joined,
      plansOf: (isWanted) => joined.of(isWanted),
      plansAmong: (accounts) => joined.among(accounts),
      partsOf: (isWanted) => joined.partsOf(isWanted),
      numbers: () => {
        throw new Error('the numbers of joined exports are not asked for');
      },
      sources: opened.flatMap(({ sources }, at) =>
        sources.map((source) => {
          const fix = layers[at - 1];
          const replaced = replacedIn(layers, at);
          return fix === undefined
            ? { ...source, replaced }
            : { ...source, replaced, fix: { name: fix.name, accounts: fix.accounts } };
        }),
      ),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function openFix(
  environment: Pick<Environment, 'cwd'>,
  reporter: Reporter,
  name: string,
  options: PlansOptions,
): Promise<Plans> {
  try {
    return await openPlans(environment, reporter, name, { ...options, namedUnder: nameUnder(name) });
  } catch (error) {
    if (!(error instanceof CannotStart) || error.problems.length === 0) throw error;
    throw new CannotStart(
      error.exit,
      error.lines.map((line) => `--with ${name}: ${line}`),
      error.problems,
    );
  }
}

/** A `--with` directory. */
interface Layer {
  readonly name: string;
  readonly place: string;
  readonly accounts: ReadonlySet<string>;
  /** The accounts that the export also has. */
  readonly inExport: ReadonlySet<string>;
}

async function layersOf(
  { cwd }: Pick<Environment, 'cwd'>,
  names: readonly string[],
  [plans, ...fixes]: readonly Plans[],
  signal: AbortSignal,
): Promise<readonly Layer[]> {
  const found: Set<string>[] = [];
  const missing = new Set<string>();
  for (const fix of fixes) {
    const accounts = new Set<string>();
    for await (const account of fix.numbers(signal)) {
      accounts.add(account);
      missing.add(account);
    }
    found.push(accounts);
  }
  if (plans !== undefined)
    for await (const account of plans.numbers(signal)) {
      missing.delete(account);
      if (missing.size === 0) break;
    }
  return found.map((accounts, at) => ({
    name: nameUnder(names[at] ?? ''),
    place: addressOf(cwd, names[at] ?? ''),
    accounts,
    inExport: new Set([...accounts].filter((account) => !missing.has(account))),
  }));
}

/** The accounts that the export does not have. */
function addedBy(layers: readonly Layer[]): ReadonlySet<string> {
  return new Set(
    layers.flatMap(({ accounts, inExport }) => [...accounts].filter((account) => !inExport.has(account))),
  );
}

/** The accounts in layers after this one; the export itself is the first, 0. */
function replacedIn(layers: readonly Layer[], at: number): ReadonlySet<string> {
  return new Set(layers.slice(at).flatMap(({ accounts }) => [...accounts]));
}

function tellAdded(reporter: Reporter, layers: readonly Layer[], refusesNew: boolean): void {
  for (const { name, accounts, inExport } of layers) {
    const added = [...accounts].filter((account) => !inExport.has(account));
    if (added.length === 0) continue;
    const named = `${added.slice(0, mostNamed).join(', ')}${added.length > mostNamed ? ', ...' : ''}`;
    const [are, they] = added.length === 1 ? ['is', 'It is'] : ['are', 'They are'];
    const told = `--with ${name}: ${counted(added.length, 'account')} ${are} not in the export: ${named}.`;
    if (refusesNew)
      throw new CannotStart(
        exitCodes.usage,
        `${told} A spreadsheet drops the zeros of a number such as 0017: correct the numbers, or add --with-new to use these accounts as well.`,
      );
    reporter.warn(`${told} ${they} used anyway. Check the numbers.`);
  }
}

/** The plans of an export and of the layers over it. */
class JoinedPlans implements AsyncIterable<AccountPlan> {
  readonly #opened: readonly Plans[];
  readonly #layers: readonly Layer[];
  /** For each layer and for the export, the accounts that a later layer has. */
  readonly #replaced: readonly ReadonlySet<string>[];

  constructor(opened: readonly Plans[], layers: readonly Layer[]) {
    this.#opened = opened;
    this.#layers = layers;
    this.#replaced = opened.map((_plans, at) => replacedIn(layers, at));
  }

  [Symbol.asyncIterator](): AsyncGenerator<AccountPlan> {
    return this.of(() => true);
  }

  async *of(isWanted: (account: string) => boolean): AsyncGenerator<AccountPlan> {
    /** Fingerprints of the plans that were replaced, by account. */
    const passed = new Map<string, string[]>();
    for (const [at, plans] of this.#opened.entries()) {
      for await (const plan of plans.plansOf(isWanted)) {
        const { account } = plan.key;
        const replaces = passed.get(account) ?? [];
        if (this.#replaced[at]?.has(account) === true)
          passed.set(account, [...replaces, printOf(plan).planHash]);
        else yield { ...plan, ...fixOf(account, this.#layers[at - 1], replaces) };
      }
    }
  }

  async *among(accounts: ReadonlySet<string>): AsyncGenerator<AccountPlan> {
    for (const [at, plans] of this.#opened.entries()) {
      const layer = this.#layers[at - 1];
      const isOwn = (account: string) =>
        layer?.accounts.has(account) !== false && this.#replaced[at]?.has(account) !== true;
      const own = [...accounts].filter(isOwn);
      for await (const plan of plans.plansAmong(new Set(own)))
        yield { ...plan, ...fixOf(plan.key.account, layer, []) };
    }
  }

  partsOf(isWanted: (account: string) => boolean): readonly PlansPart[] {
    return this.#opened.flatMap((plans, at) =>
      plans
        .partsOf((account) => isWanted(account) && this.#replaced[at]?.has(account) !== true)
        .map(({ plansSince: _of, ...part }) => ({
          ...part,
          fixOf: (account: string) => fixOf(account, this.#layers[at - 1], []),
        })),
    );
  }
}

function fixOf(
  account: string,
  layer: Layer | undefined,
  replaces: readonly string[],
): { readonly fix?: Fix } {
  if (layer === undefined) return {};
  const { name, place, inExport } = layer;
  return { fix: { name, place, isInExport: inExport.has(account), replaces } };
}

/** The locations of the `--with` directories, as absolute paths. */
export function placesOf({ cwd }: Pick<Environment, 'cwd'>, names: readonly string[] = []): string[] {
  return names.map((name) => addressOf(cwd, name));
}
