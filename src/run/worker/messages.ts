import type { Config } from '../../config/load-config.ts';
import type { MinorUnits } from '../../contract/money.ts';
import type { AccountKey, Spelling } from '../../domain/account-key.ts';
import type { Cell } from '../../domain/cell.ts';
import type { ExitCode } from '../../domain/exit-codes.ts';
import type { Fix } from '../../domain/fix.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ExtraStepName, StepName } from '../../domain/steps.ts';
import type { RowsFound } from '../../journal/journal.ts';
import type { ReadyPlan } from '../../pipeline/account/ready-plan.ts';
import type { ReadyRequest } from '../../pipeline/request/ready-request.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import type { ExportFault } from '../../source/export.ts';
import type { CodeTableFound, ExportCounts } from '../../domain/run-facts.ts';
import type { RefusalReason } from '../../domain/database-refused.ts';
import type { CopySource } from '../reading/copy-rows.ts';
import type { ContractSettings } from '../effective-rules.ts';
import type { MappingSettings } from '../reading/open-plans.ts';
import type { Reporter } from '../../host/environment.ts';
import type { RunRequest } from '../run-request.ts';

/** The settings that decide what an export's accounts become. */
type ReadingSettings = Pick<Config, 'rules' | 'workDirectory' | 'threads'> &
  ContractSettings &
  MappingSettings;

/** Which export to prepare, and with which rules: a run's request as the thread gets it. */
export interface PlanRequest extends Pick<RunRequest, 'path' | 'with' | 'withNew' | 'documents'> {
  readonly config: ReadingSettings;
  readonly cwd: string;
  readonly cutting: Cutting;
  /** Present if accounts are looked up by their rows while they are first read; as in `recognising`. */
  readonly mapping?: string | undefined;
  /** Milliseconds since the epoch: the current day for the rules. */
  readonly now: number;
}

/** The questions of the run to the thread that prepares plans. */
export type WorkerRequest =
  /** Before `open`: accounts that have other spellings. Answered by `spelled`, so that one page is under way at a time. */
  | { readonly kind: 'spellings'; readonly page: readonly Spelling[] }
  | { readonly kind: 'open'; readonly request: PlanRequest }
  /** One more batch may be given; of these accounts, by their numbers, nothing will be asked any more. */
  | { readonly kind: 'more'; readonly closed: readonly number[] }
  /** The same about accounts, without room for a batch: the memory of these is free. */
  | { readonly kind: 'closed'; readonly closed: readonly number[] }
  /** From now on the accounts of these partitions, once the accounts before were all given. */
  | { readonly kind: 'pass'; readonly partitions: readonly number[] }
  /** Only these accounts, by joinTexts, before all: as batches and an `end`, with the problems of their mapping only. */
  | { readonly kind: 'sample'; readonly accounts: string }
  /** The sample was taken. */
  | { readonly kind: 'sampled' }
  | { readonly kind: 'locate'; readonly question: number; readonly place: PlaceAsked }
  /**
   * From now on accounts are looked up by their rows; `mapping` identifies everything that decides how rows are mapped. Without
   * `hasRows` nothing is known, so nothing needs to be asked.
   */
  | { readonly kind: 'recognising'; readonly mapping: string; readonly hasRows: boolean }
  /** What is known of the accounts of the oldest question: a letter of `foundMarks` for each. The run takes unchanged ones without a plan. */
  | { readonly kind: 'recognised'; readonly found: string }
  /** What accounts share, after the last of them. */
  | { readonly kind: 'shared' }
  /** The run drains: what is left is only counted. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' };

export interface PlaceAsked {
  /** The account's number within the thread. */
  readonly account: number;
  readonly step: StepName;
  readonly path: string;
  readonly request: number | undefined;
}

/** A listener in the thread that is called here. */
export type Told =
  | { readonly what: Exclude<keyof Reporter, 'progress'>; readonly message: string }
  | { readonly what: 'begin'; readonly with: Parameters<Reporter['progress']['begin']> }
  | { readonly what: 'advance'; readonly with: Parameters<Reporter['progress']['advance']> }
  | { readonly what: 'note'; readonly with: Parameters<Reporter['progress']['note']> };

/** The thread's messages. */
export type WorkerMessage =
  | {
      readonly kind: 'opened';
      readonly total: number;
      readonly faults: readonly ExportFault[];
      readonly ignoredRows: number;
      readonly sources: readonly CopySource[];
      readonly counts: ExportCounts;
      readonly codeTables: ReadonlyMap<string, CodeTableFound>;
    }
  | { readonly kind: 'spelled' }
  | { readonly kind: 'told'; readonly told: Told }
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** All accounts have been given. */
  | { readonly kind: 'end' }
  | { readonly kind: 'located'; readonly question: number; readonly cell: Cell | undefined }
  | { readonly kind: 'shared'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'recognise';
      readonly mapping: string;
      /** By joinTexts. */
      readonly accounts: string;
      /** Separated by blanks. */
      readonly prints: string;
    }
  | { readonly kind: 'failed'; readonly failure: SentError };

/** One text costs less on its way between the threads than a list of them. */
export const foundMarks = { unchanged: 'u', same: 's', changed: 'c', unknown: '?' } as const satisfies Record<
  RowsFound['is'] | 'same',
  string
>;

/** Prepared accounts, and the bytes of all their payloads in sequence. */
export interface Batch {
  readonly accounts: readonly PackedAccount[];
  readonly bytes: ArrayBuffer;
}

export interface PackedAccount {
  readonly number: number;
  readonly key: AccountKey;
  readonly fix?: Fix | undefined;
  readonly problems: readonly Problem[];
  readonly ignoredRows: number;
  readonly rows?: ReadyPlan['rows'];
  readonly payloadHash: string;
  readonly planHash: string;
  readonly money: string | undefined;
  /** The prints of the account payload's fields. */
  readonly fields?: string;
  readonly minorUnits?: MinorUnits | undefined;
  /** Offsets in the batch's bytes: the boundaries of the account payload. */
  readonly from: number;
  readonly to: number;
  /** The further steps that have any payload. */
  readonly planned: readonly ExtraStepName[];
  /** Their requests, step by step. */
  readonly requests: readonly PackedRequest[];
}

/** A request whose body is these bytes of the batch. */
export interface PackedRequest extends Omit<ReadyRequest, 'body'> {
  readonly step: ExtraStepName;
  readonly from: number;
  readonly to: number;
}

/** An error on its way to the other thread. */
export type SentError =
  | {
      readonly kind: 'cannot-start';
      readonly exit: ExitCode;
      readonly lines: readonly string[];
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'database'; readonly reason: RefusalReason; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string; readonly stack: string | undefined };
