import type { InterventionRow, PartCellRow, ProblemRow, SupersededRow } from '../core/history-rows.ts';
import { pageSizes } from '../core/pages.ts';
import type { PartRow } from '../core/rows.ts';
import type { FixWrites, HistoryReads } from '../core/statements.ts';
import type { JournalConnection } from './connection.ts';
import type { OpenTransaction } from './write-queue.ts';

const columns = 'step, part, state, hash, attempt, run, sent_at, took, outcome, status, code, words';
const selectAttempts = `
  SELECT ${columns}, NULL AS money, NULL AS prints FROM (
    SELECT ${columns}, archived, max(sent_at) OVER (PARTITION BY step, part ORDER BY attempt) AS latest FROM (
      SELECT ${columns}, id AS archived FROM attempt WHERE account = $1
      UNION ALL SELECT ${columns}, NULL FROM part WHERE account = $1) AS every) AS ordered
  ORDER BY latest, step, part, attempt, archived NULLS LAST`;
const selectProblems = `
  SELECT account, position, step, code, path, file, line, col AS "column", warning FROM problem
  WHERE account = $1 ORDER BY position`;
const selectPartCells = `
  SELECT account, position, step, part, file, line, col AS "column" FROM part_cell
  WHERE account = $1 ORDER BY position`;
const selectSuperseded = `
  SELECT file, line, col AS "column", told FROM superseded WHERE account = $1 AND hash = $2`;
const selectInterventions = `
  SELECT intervention.id, command, at, accounts, login, host, version
  FROM intervention LEFT JOIN actor ON actor.id = intervention.actor`;
const selectPage = `
  ${selectInterventions} WHERE intervention.id < $1 ORDER BY intervention.id DESC LIMIT ${pageSizes.history}`;
const selectOn = `
  ${selectInterventions}
  WHERE command = 'restore' OR intervention.id IN (SELECT intervention FROM intervened WHERE account = $1)
  ORDER BY intervention.id`;
const supersede = `
  INSERT INTO superseded (account, hash, file, line, col) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account, hash) DO UPDATE SET file = excluded.file, line = excluded.line, col = excluded.col, told = 0`;

/** What is known of an account beside its row. */
export function historyReads(connection: JournalConnection): HistoryReads {
  return {
    attempts: (accountId) => connection.query<PartRow>(selectAttempts, [accountId]),
    problems: (accountId) => connection.query<ProblemRow>(selectProblems, [accountId]),
    partCells: (accountId) => connection.query<PartCellRow>(selectPartCells, [accountId]),
    pageInterventions: (before = Number.MAX_SAFE_INTEGER) =>
      connection.query<InterventionRow>(selectPage, [before]),
    interventionsOn: (accountId) => connection.query<InterventionRow>(selectOn, [accountId]),
    superseded: async (accountId, hash) =>
      (await connection.query<SupersededRow>(selectSuperseded, [accountId, hash]))[0],
  };
}

/** Refused data that data of another export replaced. */
export function fixWrites({ connection }: OpenTransaction): FixWrites {
  return {
    async supersede(accountId, hash, { file, line, column }) {
      await connection.change(supersede, [accountId, hash, file, line, column]);
    },

    async tell(accountId, hash) {
      await connection.change('UPDATE superseded SET told = 1 WHERE account = $1 AND hash = $2', [
        accountId,
        hash,
      ]);
    },
  };
}
