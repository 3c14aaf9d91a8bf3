import type { StepName } from '../domain/steps.ts';

/** Every setting of `.migraterc`, with the same names and defaults; `.migraterc.example` describes each. */
export interface MigrationSettings {
  /**
   * Scheme, host and port of the platform. Absent: a rehearsal against the embedded platform, in a separate process.
   */
  readonly baseUrl?: string;
  readonly platformId?: string;
  readonly team?: string;
  readonly supplier?: string;
  /** A path, or `postgres://host/database`; `.migrate/journal.db` where absent. */
  readonly journal?: string;
  /** A file that holds the password of a journal on a server. */
  readonly journalPasswordFile?: string;
  /** A command that writes it. */
  readonly journalPasswordCommand?: string;
  /** How long a run waits for a lost server of the journal. */
  readonly journalPatienceMs?: number;
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly mapping?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly contract?: string | string[];
  readonly strictContract?: boolean;
  /** Refuses a rehearsal, another platform than `platformId`, an export that shrank or changed too much, and a journal that is gone. */
  readonly unattended?: boolean;
  /** In percent, as a number or a text such as `5%`; default: 5. */
  readonly maxShrinkage?: string | number;
  /** In percent, the same; default: 10. */
  readonly maxChanged?: string | number;
  /** What the embedded platform knows in a rehearsal: an operator file. */
  readonly operator?: string;
  /** The database that the mapping's queries read, instead of the mapping's own `url`. */
  readonly sourceUrl?: string;
  readonly sourcePasswordFile?: string;
  readonly sourcePasswordCommand?: string;

  readonly apiKeyFile?: string;
  /** Files in PEM. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string };
  readonly apiKeyCommand?: string;
  readonly tokenFile?: string;
  readonly tokenHeader?: 'token' | 'bearer' | 'bare';
  readonly tokenMutation?: {
    readonly path?: string;
    readonly text?: string;
    /** Any JSON; the string `{apiKey}` in it stands for the key. */
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly resultPath?: string;
  };

  readonly concurrency?: number;
  readonly processConcurrency?: number;
  /** HH:MM */
  readonly until?: string;
  /** HH:MM-HH:MM */
  readonly window?: string;
  readonly timeZone?: string;
  /** The currency of each import supplier, such as GBP, for totals in reports. */
  readonly currencies?: Readonly<Record<string, string>>;
  readonly drainMs?: number;
  /** Requests per second. */
  readonly rate?: number;
  readonly notesPerRequest?: number;
  readonly transactionsPerRequest?: number;
  readonly statementsPerRequest?: number;
  readonly bytesPerRequest?: number;

  readonly checkPreviouslyAdded?: boolean;
  readonly forceAddToCurrentStatement?: boolean;

  readonly statementsRefuseKnownIds?: boolean;
  readonly agreementsMayRepeat?: boolean;
  readonly billingRefusalCountsAsOurs?: boolean;
  readonly paymentRefusalAfter500?: boolean;
  /** Keep the platform's messages about refusals in the journal, without the values that were sent. Default: true. */
  readonly keepPlatformWords?: boolean;
  readonly memoryMb?: number;
  /** Threads that read accounts. Default: the number of processors minus one; for a run, 1. */
  readonly threads?: number;
  readonly followLinks?: boolean;
  /** Statuses of a success besides 200 and 201, by step. */
  readonly acceptedAnswers?: { readonly [S in Exclude<StepName, 'process'>]?: readonly number[] };
  /** Answers of a gateway to requests that it did not deliver; `header`: `Name: text of its value`. */
  readonly notDelivered?: readonly { status: number; header?: string; body?: string }[];

  /** Steps of the whole book that are sent before the accounts, or after them. */
  readonly steps?: readonly {
    name: string;
    path: string;
    check?: string;
    table: string;
    identity: string;
    whenLost?: 'person' | 'repeat' | 'ask' | undefined;
    ask?: string;
    named?: { item: string; account: string };
    after?: 'accounts';
    accounts?: string;
    repeatAfter?: number[];
  }[];

  /** How accounts are read back. */
  readonly readBack?: ReadBackSettings;

  readonly retry?: {
    readonly attempts?: number;
    readonly throttledAttempts?: number;
    readonly baseMs?: number;
    readonly capMs?: number;
    readonly retryAfterCapMs?: number;
  };
  /** How accounts are imported; absent: as the contract has it, v1 if it has both or there is none. */
  readonly import?: 'v1' | 'v2';
  readonly schedule?: {
    /** HH:MM, or a time with its zone. */
    readonly start?: string;
    readonly end?: string;
    readonly mostPending?: number;
    readonly pollMs?: number;
    readonly waitMs?: number;
  };
  readonly patience?: {
    readonly quietPeriodMs?: number;
    readonly proxyMs?: number;
    readonly statusPollMs?: number;
    readonly inProgressMs?: number;
    readonly credentialsMs?: number;
    readonly laggingMs?: number;
    readonly unavailableMs?: number;
  };
  readonly timeouts?: {
    readonly connectMs?: number;
    readonly headersMs?: number;
    readonly bodyMs?: number;
    readonly requestMs?: number;
    readonly stepMs?: number;
    readonly runMs?: number;
  };

  readonly log?: {
    readonly file?: string;
    readonly level?: 'error' | 'warn' | 'info' | 'debug';
    readonly rotateMb?: number;
    readonly keep?: number;
  };
  readonly metrics?: { readonly port?: number; readonly file?: string };
  readonly notify?: {
    readonly webhookFile?: string;
    readonly form?: 'generic' | 'slack' | 'teams';
    readonly command?: string;
    readonly on?: readonly ('end' | 'failure' | 'stall')[];
    readonly stallMs?: number;
  };

  /** Business rules by their code. */
  readonly rules?: Readonly<Record<string, 'off' | 'warning' | 'error'>>;
}

/** A path for each value of a part, beside its query and `at`; null: not readable. */
type ReadBackPart<Value extends string> =
  | {
      readonly [Name in 'query' | 'at' | 'next' | Value]?: Name extends 'query' | 'at'
        ? string
        : string | null;
    }
  | null;

interface ReadBackSettings {
  readonly path?: string;
  readonly perHour?: number;
  readonly concurrency?: number;
  readonly absence?: 'settles' | 'tells';
  readonly decimals?: number;
  readonly money?: 'minor' | 'major';
  readonly amounts?: 'signed' | 'reversed' | 'unsigned';
  readonly debits?: readonly string[];
  readonly types?: Readonly<Record<string, 'charge' | 'credit' | 'payment' | 'refund'>>;
  readonly instructionTypes?: Readonly<Record<string, string>>;
  readonly times?: 'seconds' | 'milliseconds';
  readonly credit?: 'positive' | 'negative';
  readonly queries?: Readonly<
    Record<string, string | { text?: string; variables?: Readonly<Record<string, unknown>>; number?: string }>
  >;
  readonly values?: {
    readonly account?: ReadBackPart<'balance' | 'createdAt'>;
    readonly ledgers?: ReadBackPart<'number' | 'code' | 'balance'>;
    readonly transactions?: ReadBackPart<
      'id' | 'date' | 'amount' | 'type' | 'reason' | 'reference' | 'note' | 'document'
    >;
    readonly notes?: ReadBackPart<'body' | 'created' | 'pinned'>;
    readonly bills?: ReadBackPart<'identifier' | 'from' | 'to' | 'issued' | 'amount'>;
    readonly agreements?: ReadBackPart<'product' | 'from' | 'to' | 'meterPoint'>;
    readonly paymentInstructions?: ReadBackPart<'type' | 'vendor' | 'reference'>;
    readonly metadata?: ReadBackPart<'key' | 'value'>;
  };
}
