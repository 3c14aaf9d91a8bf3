/**
 * `account-migrate` as a module: what the command line does, for a program that embeds it. Everything exported here is
 * covered by semantic versioning, and nothing else is. See docs/library.md.
 */
export type { AccountCounts, AccountState } from '../domain/account-state.ts';
export type { Cell } from '../domain/cell.ts';
export type { ExitCode } from '../domain/exit-codes.ts';
export type { Problem, Severity } from '../domain/problem.ts';
export type { StepName } from '../domain/steps.ts';
export type { StopReason } from '../pipeline/run/run-events.ts';
export type { CheckEnding } from '../report/ending.ts';
export type { ProblemTotals } from '../report/ending.ts';
export type { RunEnding } from '../report/ending.ts';
export type { CannotStartCode } from '../host/cannot-start.ts';
export { CannotStart } from '../host/cannot-start.ts';
export type { MigrationEvent } from './events.ts';
export type { CommandEnding, CommandLines, CommandOptions } from './command-options.ts';
export type {
  ListOptions,
  OutputOptions,
  PlanOptions,
  ReconcileOptions,
  ResolveOptions,
  RetryOptions,
  ShowOptions,
  StatusOptions,
} from './commands.ts';
export { list, morning, numbers, plan, reconcile, report, resolve, retry, show, status } from './commands.ts';
export type { JsonObject, JsonValue } from '../domain/json.ts';
export type { ExportOptions, MigrationOptions } from './options.ts';
export { runMigration } from './run-migration.ts';
export type { MigrationSettings } from './settings.ts';
export { validateExport } from './validate-export.ts';
