import { restoredCell, restoredIfAny } from '../../domain/cell.ts';
import { steps } from '../core/codes.ts';
import type { Intervention, InterventionEntry, PartCell, PartEntry, RecordedProblem } from '../journal.ts';
import { byOf, partEntryOf, type ActorRow, type PartRow } from '../core/rows.ts';
import type { Queries } from './queries.ts';

const historyPage = 100;

/** What a PostgreSQL journal has of an account, and who changed it. */
export class PostgresHistory {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async *attempts(accountId: number): AsyncGenerator<PartEntry> {
    const columns = 'step, part, state, hash, attempt, run, sent_at, took, outcome, status, code, words';
    const rows = await this.#queries.rows<PartRow>(
      `SELECT ${columns}, NULL AS money, NULL AS prints FROM (
        SELECT ${columns}, archived, max(sent_at) OVER (PARTITION BY step, part ORDER BY attempt) AS latest FROM (
          SELECT ${columns}, id AS archived FROM attempt WHERE account = $1
          UNION ALL SELECT ${columns}, NULL FROM part WHERE account = $1) AS every) AS ordered
      ORDER BY latest, step, part, attempt, archived NULLS LAST`,
      [accountId],
    );
    yield* rows.map(partEntryOf);
  }

  async *problems(accountId: number): AsyncGenerator<RecordedProblem> {
    const rows = await this.#queries.rows<{
      step: number | null;
      code: string;
      path: string;
      file: string | null;
      line: number | null;
      col: string | null;
      warning: number;
    }>(
      'SELECT step, code, path, file, line, col, warning FROM problem WHERE account = $1 ORDER BY position',
      [accountId],
    );
    yield* rows.map(({ step, code, path, file, line, col: column, warning }) => ({
      step: step === null ? undefined : steps.name(step),
      code,
      path,
      cell: restoredIfAny({ file, line, column }),
      isWarning: warning === 1 || undefined,
    }));
  }

  async *partCells(accountId: number): AsyncGenerator<PartCell> {
    const rows = await this.#queries.rows<{
      step: number;
      part: number;
      file: string;
      line: number;
      col: string;
    }>('SELECT step, part, file, line, col FROM part_cell WHERE account = $1 ORDER BY position', [accountId]);
    yield* rows.map(({ step, part, file, line, col: column }) => ({
      ...{ step: steps.name(step), part, cell: restoredCell({ file, line, column }) },
    }));
  }

  async *interventions(): AsyncGenerator<InterventionEntry> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await this.#queries.rows<InterventionRow & { id: number }>(
        `SELECT intervention.id, command, at, accounts, login, host, version
        FROM intervention LEFT JOIN actor ON actor.id = intervention.actor
        WHERE intervention.id < $1 ORDER BY intervention.id DESC LIMIT ${historyPage}`,
        [before],
      );
      yield* rows.map((row) => ({ ...interventionOf(row), accounts: row.accounts ?? undefined }));
      before = rows.at(-1)?.id ?? 0;
      if (rows.length < historyPage) return;
    }
  }

  async *interventionsOn(accountId: number): AsyncGenerator<Intervention> {
    const rows = await this.#queries.rows<InterventionRow>(
      `SELECT command, at, accounts, login, host, version
      FROM intervention LEFT JOIN actor ON actor.id = intervention.actor
      WHERE command = 'restore' OR intervention.id IN (SELECT intervention FROM intervened WHERE account = $1)
      ORDER BY intervention.id`,
      [accountId],
    );
    yield* rows.map(interventionOf);
  }
}

interface InterventionRow extends ActorRow {
  readonly command: Intervention['command'];
  readonly at: number;
  readonly accounts: number | null;
}

function interventionOf(row: InterventionRow): Intervention {
  return { command: row.command, at: row.at, by: byOf(row) };
}
