import { escapedPathRemedy, isEscapedPath } from '../domain/escaped-path.ts';
import { journalNameFault } from '../domain/journal-name.ts';
import { holdsPassword } from '../domain/server-address.ts';
import { z } from 'zod';
import { importKinds } from '../domain/import-kind.ts';
import { DailyClock, parseDailyWindow, parseTimeOfDay } from '../domain/daily-window.ts';
import { ofEachExtraStep } from '../domain/steps.ts';
import { encodingName, isDelimiter } from '../domain/text-file.ts';
import { platformAddress } from './platform-address.ts';
import { addedSteps } from './added-steps.ts';
import { readBackSettings } from './read-back-settings.ts';

const text = z
  .string({ error: 'must be text' })
  .regex(/\S/, { error: 'must not be empty; leave it out' })
  .refine((said) => !said.includes('\0'), { error: 'must not contain a NUL character' });
const path = text.refine((said) => !isEscapedPath(said), { error: `is not a path: ${escapedPathRemedy}` });
/** One file, or several. */
const filesNamed = z
  .union([path, z.array(path).min(1)], { error: 'must be a file, or a list of files' })
  .transform((named): readonly string[] => [named].flat());
const flag = z.boolean({ error: 'must be true or false' });

function wholeNumber(from: number, to: number): z.ZodInt {
  // Loaded on demand, as below.
  const error = (): string =>
    `must be a whole number from ${from.toLocaleString('en-GB')} to ${to.toLocaleString('en-GB')}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]): z.ZodEnum<{ [C in Choice]: C }> {
  // Loaded on demand: the formatter of a locale takes longer to load than all settings.
  const listed = (): Intl.ListFormat => new Intl.ListFormat('en-GB', { type: 'disjunction' });
  return z.enum(choices, { error: () => `must be ${listed().format(choices)}` });
}

const successes = z.array(wholeNumber(200, 299), { error: 'must be a list of statuses, such as [202]' });

/** A time without a zone would be another one in the platform's own. */
const scheduledTime = z
  .string()
  .refine(
    (text) => parseTimeOfDay(text) !== undefined || z.iso.datetime({ offset: true }).safeParse(text).success,
    {
      error: 'must be a time of day, such as 22:00, or a time with its zone, such as 2026-12-01T22:00:00Z',
    },
  );

/** A status that the platform uses itself does not tell who answered. */
const ofGatewaysOnly = [502, 503, 504];
const notDelivered = z.array(
  z
    .strictObject(
      {
        status: wholeNumber(400, 599),
        header: z
          .string()
          .regex(/^[\w-]+: *\S/, 'must be a name and text of its value, such as "Server: edge"')
          .exactOptional(),
        body: z.string().min(1).max(500).exactOptional(),
      },
      { error: 'must contain a status' },
    )
    .refine(({ status, header, body }) => ofGatewaysOnly.includes(status) || (header ?? body) !== undefined, {
      error: 'must also contain a header or a body, because the platform may answer with this status too',
    }),
  { error: 'must be a list, such as [{ status: 503 }]' },
);
const group = { error: 'must contain keys' };
const shareError = { error: 'must be a share in percent from 0 to 100, such as 5 or "5%"' };
/** In percent. A % sign is hard to forget in a file for people. */
const share = z
  .union(
    [
      z
        .string()
        .regex(/^\d+(\.\d+)? ?%?$/)
        .transform((said) => Number.parseFloat(said)),
      z.number(),
    ],
    shareError,
  )
  .refine((said) => said >= 0 && said <= 100, shareError);
const milliseconds = (from: number): z.ZodInt => wholeNumber(from, 86_400_000);

/**
 * Every setting with its bounds and its default. Names of durations end in `Ms`; they are whole milliseconds.
 * `.migraterc.example` describes the keys for users; a test compares it with this schema.
 */
export function settingsSchema(ruleCodes: Iterable<string>) {
  const level = oneOf('off', 'warning', 'error');
  return z.strictObject(
    {
      baseUrl: platformAddress.exactOptional(),
      platformId: text.exactOptional(),
      team: text.exactOptional(),
      supplier: text.exactOptional(),
      journal: text
        .superRefine((name, context) => {
          const fault = journalNameFault(name);
          if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
        })
        .default('.migrate/journal.db'),
      journalPasswordFile: path.exactOptional(),
      journalPasswordCommand: text.exactOptional(),
      journalPatienceMs: milliseconds(0).default(600_000),
      synchronous: oneOf('FULL', 'NORMAL').default('FULL'),
      mapping: path.exactOptional(),
      encoding: text
        .refine((label) => encodingName(label) !== undefined, {
          error: 'must be an encoding such as utf-8, windows-1252 or iso-8859-15',
        })
        .exactOptional(),
      // A tab is hard to type in a shell.
      delimiter: z
        .string()
        .transform((said) => (said === String.raw`\t` ? '\t' : said))
        .refine(isDelimiter, { error: 'must be the delimiter between cells, such as ; or \\t' })
        .exactOptional(),
      contract: filesNamed.exactOptional(),
      operator: text.exactOptional(),
      strictContract: flag.default(false),
      unattended: flag.default(false),
      maxShrinkage: share.default(5),
      maxChanged: share.default(10),
      sourceUrl: text
        .refine((said) => URL.canParse(said), {
          error: 'must be the address of a database, such as postgres://reader@db.example.com/billing',
        })
        .refine((said) => !URL.canParse(said) || !holdsPassword(new URL(said)), {
          error:
            'must not contain a password; remove it, and set MIGRATE_SOURCE_PASSWORD, sourcePasswordFile or sourcePasswordCommand',
        })
        .exactOptional(),
      sourcePasswordFile: path.exactOptional(),
      sourcePasswordCommand: text.exactOptional(),

      apiKeyFile: path.exactOptional(),
      apiKeyCommand: text.exactOptional(),
      tokenFile: path.exactOptional(),
      tokenHeader: oneOf('token', 'bearer', 'bare').default('token'),
      // The client fills in what is absent here: the contract knows the usual mutation.
      tokenMutation: z
        .strictObject(
          {
            path: z.string().regex(/^\//, { error: 'must be a path that begins with /' }).exactOptional(),
            text: text.exactOptional(),
            variables: z.record(z.string(), z.json(), group).exactOptional(),
            resultPath: text.exactOptional(),
          },
          group,
        )
        .prefault({}),

      tls: z
        .strictObject(
          { cert: path.exactOptional(), key: path.exactOptional(), ca: path.exactOptional() },
          group,
        )
        .prefault({}),

      // Absent: as the contract has it, v1 if it has both or there is none.
      import: oneOf(...importKinds).exactOptional(),
      schedule: z
        .strictObject(
          {
            start: scheduledTime.exactOptional(),
            end: scheduledTime.exactOptional(),
            mostPending: wholeNumber(1, 1_000_000).default(5_000),
            pollMs: milliseconds(1).default(60_000),
            waitMs: milliseconds(0).default(1_800_000),
          },
          group,
        )
        .prefault({}),

      concurrency: wholeNumber(1, 1000).default(256),
      processConcurrency: wholeNumber(1, 1000).exactOptional(),
      until: z
        .string()
        .refine((time) => parseTimeOfDay(time) !== undefined, {
          error: 'must be a time of day, such as 05:30',
        })
        .exactOptional(),
      window: z
        .string()
        .refine((times) => parseDailyWindow(times) !== undefined, {
          error: 'must be two times of day, such as 22:00-05:30',
        })
        .exactOptional(),
      timeZone: z
        .string()
        .refine((zone) => DailyClock.of(zone) !== undefined, {
          error: 'must be a time zone, such as Europe/Berlin',
        })
        .exactOptional(),
      currencies: z
        .record(
          z.string(),
          z.string().regex(/^[A-Z]{3}$/, { error: 'must be a currency, such as GBP' }),
          group,
        )
        .exactOptional(),
      drainMs: milliseconds(1).default(180_000),
      rate: wholeNumber(1, 100_000).exactOptional(),
      notesPerRequest: wholeNumber(1, 100_000).default(500),
      transactionsPerRequest: wholeNumber(1, 100_000).default(500),
      statementsPerRequest: wholeNumber(1, 100_000).default(500),
      bytesPerRequest: wholeNumber(4096, 1_000_000_000).exactOptional(),

      checkPreviouslyAdded: flag.default(true),
      forceAddToCurrentStatement: flag.default(true),

      statementsRefuseKnownIds: flag.default(true),
      // Absent: false, except for an embedded platform, whose behaviour is known.
      agreementsMayRepeat: flag.exactOptional(),
      billingRefusalCountsAsOurs: flag.exactOptional(),
      keepPlatformWords: flag.default(true),
      followLinks: flag.default(false),
      memoryMb: wholeNumber(1, 65_536).default(256),
      // Absent: one less than there are processors.
      threads: wholeNumber(1, 256).exactOptional(),
      paymentRefusalAfter500: flag.exactOptional(),
      acceptedAnswers: z
        .strictObject(
          {
            validate: successes.exactOptional(),
            stage: successes.exactOptional(),
            ...ofEachExtraStep(() => successes.exactOptional()),
          },
          group,
        )
        .prefault({}),
      notDelivered: notDelivered.exactOptional(),

      retry: z
        .strictObject(
          {
            attempts: wholeNumber(1, 100).default(6),
            throttledAttempts: wholeNumber(1, 10_000).default(100),
            baseMs: milliseconds(1).default(500),
            capMs: milliseconds(1).default(30_000),
            retryAfterCapMs: milliseconds(1).default(300_000),
          },
          group,
        )
        .prefault({}),
      patience: z
        .strictObject(
          {
            // Absent: the time of a whole request plus proxyMs; 10 s for an embedded platform.
            quietPeriodMs: milliseconds(0).exactOptional(),
            proxyMs: milliseconds(0).default(60_000),
            statusPollMs: milliseconds(1).default(2_000),
            inProgressMs: milliseconds(0).default(300_000),
            credentialsMs: milliseconds(0).default(30_000),
            laggingMs: milliseconds(0).default(30_000),
            unavailableMs: milliseconds(0).default(900_000),
          },
          group,
        )
        .prefault({}),
      timeouts: z
        .strictObject(
          {
            connectMs: milliseconds(1).default(10_000),
            headersMs: milliseconds(1).default(120_000),
            bodyMs: milliseconds(1).default(60_000),
            // Absent: the sum of the three.
            requestMs: milliseconds(1).exactOptional(),
            stepMs: milliseconds(1).default(1_800_000),
            runMs: wholeNumber(1, 604_800_000).exactOptional(),
          },
          group,
        )
        .prefault({}),

      log: z
        .strictObject(
          {
            file: path.exactOptional(),
            level: oneOf('error', 'warn', 'info', 'debug').default('info'),
            rotateMb: wholeNumber(1, 10_000).default(50),
            keep: wholeNumber(1, 1000).default(14),
          },
          group,
        )
        .prefault({}),
      metrics: z
        .strictObject({ port: wholeNumber(0, 65_535).exactOptional(), file: path.exactOptional() }, group)
        .prefault({}),
      notify: z
        .strictObject(
          {
            webhookFile: path.exactOptional(),
            form: oneOf('generic', 'slack', 'teams').default('generic'),
            command: text.exactOptional(),
            on: z.array(oneOf('end', 'failure', 'stall')).default(['end', 'failure', 'stall']),
            stallMs: milliseconds(1_000).default(900_000),
          },
          group,
        )
        .prefault({}),

      readBack: readBackSettings.prefault({}),

      steps: addedSteps.exactOptional(),

      rules: z
        .strictObject(Object.fromEntries([...ruleCodes].map((code) => [code, level.exactOptional()])), group)
        .prefault({}),
    },
    group,
  );
}

/** Settings are read once, so compiling a checker for them would cost more than it saves. */
export const readOnce = { jitless: true } as const;

export type SettingsSchema = ReturnType<typeof settingsSchema>;
export type ParsedSettings = z.output<SettingsSchema>;

/** The schema at a path, without its optionality or default; undefined if there is none. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = unwrapped(schema);
  for (const key of path) {
    const inner: unknown = at instanceof z.ZodObject ? at.shape[String(key)] : undefined;
    at = inner instanceof z.ZodType ? unwrapped(inner) : undefined;
  }
  return at;
}

/** The names of an object schema's keys; none for other schemas. */
export function keysOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const wrapped =
    schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return wrapped ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}
