import { definedFields } from '../../domain/defined-fields.ts';
import { hashOf } from '../../domain/hash-of.ts';
import { isCorrected } from '../../domain/corrected.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import { noLongerInExport, unknownCode } from '../../domain/shared-codes.ts';
import type { StepName } from '../../domain/steps.ts';
import type { AccountEntry, Journal } from '../../journal/journal.ts';
import {
  changesSinceSent,
  keepsRecords,
  type ChangeSinceSent,
} from '../../pipeline/account/changes-since-sent.ts';
import type { ReadyPlan } from '../../pipeline/account/ready-plan.ts';
import { supersededData } from '../../pipeline/account/superseded-data.ts';
import {
  changedAccountsText,
  notComparedText,
  type ChangedAccounts,
} from '../../report/last-run/changed-accounts-text.ts';
import type { Environment, Reporter } from '../../host/environment.ts';
import { cuttingOf } from '../pipeline-settings.ts';
import { exportPlace } from '../reading/export-place.ts';
import type { RunRequest } from '../run-request.ts';
import { platformOf, unlessOutdated } from '../session/connect.ts';
import type { CompletedSeen } from '../session/early-journal.ts';
import { journalOf } from '../session/journal-of.ts';
import type { ReadyExport } from '../worker/open-ready.ts';

/** Accounts that are compared with what was sent of them: enough for a share of a tenth to be told from one of a fifth. */
const sampleSize = 300;
/** Fewer accounts say nothing of an export. */
const leastAccounts = 10;

/** What a first reading of the export told. */
export interface FirstReading {
  readonly plans: Pick<ReadyExport, 'sample' | 'total'>;
  /** Absent if rows cannot be compared. */
  readonly completed: CompletedSeen | undefined;
  /** The files, and what maps them, are those of the last run. */
  readonly isSame: boolean;
  /** What maps the rows and is not that of the last run: `the code table tariffs.csv`. */
  readonly others: readonly string[];
}

/**
 * Says that what was sent of more than `maxChanged` of the accounts is other data in this export: changed, or gone with all that was
 * sent of its step. What was added does not count, nor do accounts that are still to be sent, nor single records that left. Reads the
 * export again only if the first reading does not show that it is as it was. undefined if it is, if that cannot be known, and if the
 * run is stopped meanwhile.
 */
export async function changedAccounts(
  environment: Environment,
  request: RunRequest,
  reporter: Pick<Reporter, 'info'>,
  { plans, completed, isSame, others }: FirstReading,
): Promise<string | undefined> {
  const { config, with: fixes = [], dryRun } = request;
  const store = journalOf(environment, config);
  if (dryRun === true || isSame || !(await store.exists())) return undefined;
  const platform = await platformOf(environment, config);
  if (completed === undefined || platform === undefined) {
    const why = fixes.length > 0 ? 'with' : completed === undefined ? 'module' : 'platform';
    reporter.info(notComparedText(why));
    return undefined;
  }
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  try {
    const books = (await journal.overview(platform)).filter(
      ({ supplier }) => config.supplier === undefined || supplier === config.supplier,
    );
    const sent = books.reduce((sum, { accounts }) => sum + accounts.completed + accounts.imported, 0);
    // An export of the accounts that changed has few of those that were sent.
    const isEnough = completed.seen >= Math.min(sent, plans.total) / 2;
    const { maxChanged } = config;
    const isBeyond = (count: number, of: number): boolean =>
      count >= leastAccounts && count > (of * maxChanged) / 100;
    if (sent < leastAccounts || (isEnough && !isBeyond(completed.changed, completed.seen))) return undefined;
    const suppliers = books.map(({ supplier }) => supplier);
    const sample = await sampleOf(journal, platform, suppliers, environment.stopping);
    const place = await exportPlace(environment, request);
    const found = await compared(plans.sample(sample), { journal, platform, place, request });
    // What was compared until a stop may be no sample.
    if (environment.stopping?.aborted === true) return undefined;
    return isBeyond(found.changed, found.compared)
      ? changedAccountsText(found, maxChanged, others)
      : undefined;
  } finally {
    await journal.close();
  }
}

/** The accounts that exist, by their numbers: those with the smallest hashes. */
async function sampleOf(
  journal: Pick<Journal, 'accounts'>,
  platform: string,
  suppliers: readonly string[],
  stop: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  let sample: { readonly account: string; readonly hash: number }[] = [];
  for (const supplier of suppliers)
    for await (const { key } of journal.accounts(platform, supplier, ['completed', 'imported'])) {
      sample.push({ account: key.account, hash: hashOf(key.account) });
      if (sample.length < 2 * sampleSize) continue;
      if (stop?.aborted === true) return new Set();
      sample = smallest(sample);
    }
  return new Set(smallest(sample).map(({ account }) => account));
}

function smallest<One extends { readonly hash: number }>(sample: readonly One[]): One[] {
  return sample.toSorted((one, other) => one.hash - other.hash).slice(0, sampleSize);
}

interface Against {
  readonly journal: Journal;
  readonly platform: string;
  /** The export's location. */
  readonly place: string;
  readonly request: RunRequest;
}

async function compared(plans: AsyncIterable<ReadyPlan>, against: Against): Promise<ChangedAccounts> {
  const found = { compared: 0, changed: 0, places: new Map<string, number>() };
  for await (const plan of plans) {
    const changes = await changesOf(plan, against);
    if (changes !== undefined) found.compared += 1;
    const contrary = (changes ?? []).filter(({ is }) => is !== 'added');
    if (contrary.length > 0) found.changed += 1;
    const places = new Set((await Promise.all(contrary.map((change) => placesOf(plan, change)))).flat());
    for (const place of places) found.places.set(place, (found.places.get(place) ?? 0) + 1);
    plan.close();
  }
  return found;
}

/** undefined if the account does not exist, or has other data than the export's on purpose. */
async function changesOf(
  { key, print, extras, minorUnits }: ReadyPlan,
  { journal, platform, place, request }: Against,
): Promise<readonly ChangeSinceSent[] | undefined> {
  const entry: AccountEntry | undefined = await journal.find(platform, key);
  if (entry === undefined || !['completed', 'imported'].includes(entry.state)) return undefined;
  const { planHash, payloadHash } = print;
  if (entry.planHash === planHash) return [];
  if (isCorrected(entry, planHash)) return undefined;
  if ((await supersededData(journal, entry, print, place)) !== undefined) return undefined;
  const payload = parseJson(print.payloadBody.toString());
  if (!isJsonObject(payload)) return undefined;
  const plan = { key, payload, extras, ...definedFields({ minorUnits }) };
  const cutting = cuttingOf(request.config);
  const changes = changesSinceSent(plan, payloadHash, entry, cutting);
  const left = changes.some(({ is }) => is === 'gone') ? await stepsLeftBefore(journal, entry) : undefined;
  return changes.filter(
    ({ is, step }) =>
      is !== 'gone' || !(left?.has(step) === true || keepsRecords(step, plan, entry.parts, cutting)),
  );
}

/** The steps of which an earlier run has told that records left the export. */
async function stepsLeftBefore(
  journal: Pick<Journal, 'problems'>,
  { id }: Pick<AccountEntry, 'id'>,
): Promise<ReadonlySet<StepName | undefined>> {
  const steps = new Set<StepName | undefined>();
  for await (const { code, step } of journal.problems(id)) if (code === noLongerInExport) steps.add(step);
  return steps;
}

/** Of a change in a field that is not known, the cells whose codes have no value now. */
async function placesOf(plan: ReadyPlan, change: ChangeSinceSent): Promise<readonly string[]> {
  const cells = plan.problems.flatMap(({ code, cell }) => (code === unknownCode ? (cell ?? []) : []));
  return change.path === '' && change.is === 'changed' && cells.length > 0
    ? cells.map(({ file, column }) => `${file} ${column}`.trim())
    : [await placeOf(plan, change)];
}

/** The file and column of a change; the file alone, or the step, of records that have gone or changed as a whole. */
async function placeOf(plan: ReadyPlan, { is, step, path, request }: ChangeSinceSent): Promise<string> {
  const cell = await plan.locate(step, path, request);
  if (cell !== undefined)
    return is === 'gone' || path === '' ? cell.file : `${cell.file} ${cell.column}`.trim();
  return step === 'stage' ? 'the account payload' : step.replaceAll('_', ' ');
}
