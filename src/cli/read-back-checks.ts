import { resolve } from 'node:path';
import { readGraphqlAnswer } from '../read-back/graphql-answer.ts';
import { checkShape, schemaIn, schemaOfText, schemaRequest } from '../read-back/check-shape.ts';
import { hiddenValues } from '../read-back/hidden-values.ts';
import type { AccountRead } from '../read-back/account-reader.ts';
import type { ShapeFault } from '../read-back/shape-fault.ts';
import type { Config } from '../config/load-config.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { stringifyJson } from '../domain/json.ts';
import { needsPerson } from '../domain/lasting-causes.ts';
import { CannotStart } from '../host/cannot-start.ts';
import { readNamedList } from '../host/read-named-file.ts';
import type { AccountEntry, Journal } from '../journal/journal.ts';
import { inSentence } from '../report/format.ts';
import { openReader, queryPathOf, readShapeOf } from '../run/read-back/open-reader.ts';
import { isCreated } from '../run/read-back/selection.ts';
import { connect, type PlatformConnection } from '../run/session/connect.ts';
import { unavailability } from '../report/advice/unavailability.ts';
import type { Printer } from '../report/printer.ts';
import { comparedFindings } from './compared-account.ts';
import { asOftenAsARun, type Finding } from './doctor-checks.ts';
import { openRecorded } from './open-to-read.ts';
import { platformAhead } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

const check = 'read-back';
/** An account that no platform has: only refusals of whole queries are seen. */
const nobody = 'migrate-doctor-asks';
/** Reasons that follow from what the query asks for. */
const ofTheQuery: ReadonlySet<string> = new Set(['unknown_field', 'not_in_answer']);
type KnownSchema = NonNullable<Parameters<typeof checkShape>[1]>;

export interface ReadBackChecks {
  /** A file with the platform's GraphQL schema, in place of its own word. */
  readonly schema: string | undefined;
  /** Whether the platform is not asked anything, as another check failed. */
  readonly isCut: boolean;
  /** The export that was sent; undefined: the one that the journal names. */
  readonly path: string | undefined;
  readonly printer: Printer;
}

interface FileFindings {
  readonly schema: 'read' | 'none';
  readonly findings: readonly Finding[];
}

/** Accounts among which the one with the most parts is read. */
const mostLookedAt = 200;

/**
 * Checks that the configured queries fit the platform's schema, and reads one account of the journal to see what the token may
 * read, and whether it is as it was sent. Tells no value of it.
 */
export async function examineReadBack(
  shell: Shell,
  config: Config,
  checks: ReadBackChecks,
): Promise<readonly Finding[]> {
  const { schema: file, isCut } = checks;
  // A text that must not be sent, or a query that is not there: what has a field is told with the schema.
  const unfit = checkShape(readShapeOf(config), undefined).filter(({ field }) => field === undefined);
  if (unfit.length > 0) return unfit.map(faultFinding);
  const byFile = file === undefined ? undefined : await fileFindings(shell, config, file);
  // Without a schema in the file, nothing is known of the queries.
  if (byFile?.schema === 'none') return byFile.findings;
  const known = byFile?.findings ?? [];
  if (isCut) return [...known, { check, state: 'skipped', detail: 'The platform was not asked.' }];
  return [...known, ...(await examinePlatform(shell, config, byFile?.findings, checks))];
}

/** `known`: what a file of the schema told; undefined: the platform is asked for its schema. */
async function examinePlatform(
  shell: Shell,
  config: Config,
  known: readonly Finding[] | undefined,
  checks: Pick<ReadBackChecks, 'path' | 'printer'>,
): Promise<readonly Finding[]> {
  let journal: Journal | undefined;
  let connection: PlatformConnection | undefined;
  try {
    journal = await openRecorded(shell, config, { warn: () => undefined }).catch(refusedJournal);
    if (config.baseUrl === undefined && !(await hasRehearsed(journal, config)))
      return [
        { check, state: 'skipped', detail: 'No platform is configured, and no rehearsal created accounts.' },
      ];
    // No account is created, so no operations team is required.
    connection = await connect(shell, { ...config, team: config.team ?? '' });
    const schema = known === undefined ? await schemaFindings(shell, config, connection) : [];
    const trial = await trialFindings(shell, config, { ...checks, connection, journal });
    // What the schema lacks is told once, with what is near.
    const isTold = (known ?? schema).some(({ state }) => state === 'failed');
    return [...schema, ...trial.filter(({ reason = '' }) => !isTold || !ofTheQuery.has(reason))];
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return [{ check, state: 'failed', detail: error.lines.join(' '), exit: error.exit }];
  } finally {
    await connection?.close();
    await journal?.close();
  }
}

/** Whether the embedded platform has accounts of the journal: it is not started for less. */
async function hasRehearsed(journal: Journal | undefined, config: Config): Promise<boolean> {
  const { platform } = await platformAhead(journal, config);
  return platform !== undefined && ((await journal?.overview(platform)) ?? []).length > 0;
}

/** The journal has a check of its own. */
function refusedJournal(error: unknown): undefined {
  if (error instanceof DatabaseRefused) return undefined;
  throw error;
}

async function schemaFindings(
  shell: Shell,
  config: Config,
  { client }: PlatformConnection,
): Promise<readonly Finding[]> {
  const path = queryPathOf(config);
  const answer = await asOftenAsARun(
    shell,
    config,
    () => client.query(stringifyJson({ query: schemaRequest }), { path }),
    (said) => ['ok', 'unauthorized'].includes(said.kind) || ('cause' in said && needsPerson(said.cause)),
    (said) => (said.kind === 'throttled' ? said.retryAfterMs : undefined),
  );
  const read = answer.kind === 'ok' ? readGraphqlAnswer(answer.body) : undefined;
  const schema = read?.data === undefined ? undefined : schemaIn(read.data);
  if (schema === undefined) {
    const cause = 'cause' in answer ? answer.cause : answer.kind;
    const reason = read === undefined ? cause : (read.errors[0]?.code ?? 'unreadable_answer');
    return [
      // What a query does not ask for itself is known without the platform's schema.
      ...checkShape(readShapeOf(config), undefined).map(faultFinding),
      {
        check,
        state: 'warning',
        detail: `The platform did not tell its GraphQL schema (${reason}), so the queries were not checked against it.`,
        remedy:
          'Allow introspection for this key, name a file of the schema with --schema, or rely on the account that is read below.',
        reason,
      },
    ];
  }
  return fitFindings(config, schema, "the platform's GraphQL schema");
}

/** What a file of the schema says of the queries. */
async function fileFindings(shell: Shell, config: Config, name: string): Promise<FileFindings> {
  const schema = schemaOfText(await readNamedList('The GraphQL schema', resolve(shell.cwd, name)));
  if (!('fault' in schema)) return { schema: 'read', findings: fitFindings(config, schema, name) };
  return {
    schema: 'none',
    findings: [
      {
        check,
        state: 'failed',
        detail: `${name}${schema.fault}.`,
        remedy:
          'Name a file with the schema in the GraphQL language, or with the answer to an introspection.',
        exit: exitCodes.usage,
      },
    ],
  };
}

function fitFindings(config: Config, schema: KnownSchema, of: string): readonly Finding[] {
  const faults = checkShape(readShapeOf(config), schema);
  if (faults.length > 0) return faults.map(faultFinding);
  return [{ check, state: 'ok', detail: `The queries of readBack fit ${of}.` }];
}

function faultFinding({ setting, field, detail, near }: ShapeFault): Finding {
  return {
    check,
    state: 'failed',
    detail,
    remedy:
      near === undefined
        ? `Correct ${setting}, or remove it there.`
        : `Did you mean ${near}? Correct ${setting}.`,
    exit: exitCodes.usage,
    ...(field === undefined ? {} : { field }),
    ...(near === undefined ? {} : { near }),
  };
}

const nothingHidden = { hidden: new Map<string, string>(), untried: [], isNothing: false };

async function trialFindings(
  shell: Shell,
  config: Config,
  {
    connection,
    journal,
    path,
    printer,
  }: Pick<ReadBackChecks, 'path' | 'printer'> & {
    readonly connection: PlatformConnection;
    readonly journal: Journal | undefined;
  },
): Promise<readonly Finding[]> {
  const entry = journal && (await entryWithMost(journal, connection.platform, config.supplier));
  const reader = openReader(shell, config, connection);
  const again = () => reader.read(entry?.krakenAccountNumber ?? nobody);
  const read = await again();
  if (read.kind === 'stopped') return [stoppedFinding(read)];
  const { hidden, untried, isNothing } = read.kind === 'read' ? hiddenValues(read.account) : nothingHidden;
  // Which code an account that is not there gets is the platform's own choice: only this one is about the tenancy.
  const told = [...hidden].filter(([, reason]) => entry !== undefined || reason === 'KT-CT-1113');
  const lines = told.map(([field, reason]) => hiddenFinding(field, reason));
  if (entry === undefined)
    return [
      ...lines,
      {
        check,
        state: 'skipped',
        detail:
          'The journal has no account that this platform created, so what the token may read was not tried.',
        remedy: 'Run this check again after the first accounts are imported.',
      },
    ];
  const { account } = entry.key;
  if (read.kind !== 'read')
    return [
      {
        check,
        state: 'failed',
        detail: `The platform says that it has no account ${account}, which the journal has as created.`,
        remedy: 'Check readBack.queries and readBack.path, and that this is the platform of the journal.',
        exit: exitCodes.uncertain,
      },
    ];
  if (isNothing) return lines.map((line) => ({ ...line, state: 'failed', exit: exitCodes.accountsRejected }));
  const hiddenToo = new Map<string, string>();
  const compared = await comparedFindings(
    { shell, printer, config, path },
    ...([entry, again, read.account, hiddenToo] as const),
  );
  for (const [field, reason] of hiddenToo) if (!hidden.has(field)) lines.push(hiddenFinding(field, reason));
  if (lines.length > 0) return [...lines, ...compared];
  const rest =
    untried.length === 0 ? '' : ` It has no ${untried.join(', no ')}, so the values of these were not tried.`;
  return [
    { check, state: 'ok', detail: `All that is configured can be read of account ${account}.${rest}` },
    ...compared,
  ];
}

/** The created account to which most steps added something, among the first of each supplier. */
async function entryWithMost(
  journal: Journal,
  platform: string,
  meant: string | undefined,
): Promise<AccountEntry | undefined> {
  let [best, most] = [undefined as AccountEntry | undefined, 0];
  for (const { supplier } of await journal.overview(platform)) {
    if (meant !== undefined && supplier !== meant) continue;
    let lookedAt = 0;
    for await (const entry of journal.accounts(platform, supplier)) {
      lookedAt += 1;
      const done = Object.values(entry.steps).filter((state) => state === 'done').length;
      if (isCreated(entry) && done > most) [best, most] = [entry, done];
      if (lookedAt >= mostLookedAt) break;
    }
  }
  return best;
}

function stoppedFinding({ reason, detail }: Extract<AccountRead, { kind: 'stopped' }>): Finding {
  if (reason === 'credentials')
    return {
      check,
      state: 'failed',
      detail: `The platform refused the credentials for reading back (${detail}).`,
      remedy: 'Check the API key or token, and that it may use the GraphQL API.',
      exit: exitCodes.credentialsRefused,
      reason: detail,
    };
  if (reason === 'throttled')
    return {
      check,
      state: 'warning',
      detail: `The platform answers no more queries now (${detail}), so no account was read.`,
      remedy: 'Run this check again later.',
      reason: detail,
    };
  return {
    check,
    state: 'failed',
    detail: `The platform gave no clear answer to a query (${detail}).`,
    remedy: inSentence(unavailability(detail)),
    exit: exitCodes.unavailable,
    reason: detail,
  };
}

/** The remedy for each reason why a value is not readable. */
function hiddenFinding(field: string, reason: string): Finding {
  const [name = ''] = field.split('.');
  const part = name === 'balance' || name === 'createdAt' ? `account.${name}` : name;
  const own: Readonly<Record<string, string>> = {
    'KT-CT-4177': 'Ask the operator of the platform to let this key read it',
    'KT-CT-1113': 'The tenancy has disabled it: ask its operator to enable it',
    unknown_field: 'Correct the query',
    graphql_error: 'Correct the query',
    not_in_answer: `Correct readBack.values.${part}`,
    unexpected_form: `Correct readBack.values.${part}, or set readBack.times for times that are numbers`,
    type_not_readable:
      name === 'paymentInstructions'
        ? 'Name the type in readBack.instructionTypes'
        : 'Make the type of transactions readable, or set readBack.amounts: signed',
    answer_mismatch: 'Correct readBack.queries: the answer is about another account',
    number_not_told: 'Ask for the number of the account in the query, and name its path as number',
    too_complex: 'Split the query, or ask for pages with $first and $after',
    more_pages: 'Ask for pages with $first, $after and pageInfo { hasNextPage endCursor }',
  };
  const remedy = own[reason] ?? 'Ask the operator of the platform what this code means';
  return {
    check,
    state: 'warning',
    detail: `${field} is not readable (${reason}): it will not be compared.`,
    remedy: `${remedy}, or set readBack.values.${part === name ? field : part} to null.`,
    field,
    reason,
  };
}
