import { CannotStart } from '../host/cannot-start.ts';
import {
  clientOptionsFor,
  connect,
  proxiesTo,
  requireCertificateCheck,
  userAgent,
} from '../run/session/connect.ts';
import type { Environment } from '../host/environment.ts';
import { journalOf } from '../run/session/journal-of.ts';
import { lostJournal } from '../run/session/lost-journal.ts';
import { markWarning } from '../run/session/open-to-change.ts';
import { tlsFiles } from '../run/session/tls-files.ts';
import { unavailability } from '../report/advice/unavailability.ts';
import { probePlatform } from '../client/probe-platform.ts';
import type { Config } from '../config/load-config.ts';
import { DatabaseRefused } from '../domain/database-refused.ts';
import { needsPerson } from '../domain/lasting-causes.ts';
import { exitCodes, type ExitCode } from '../domain/exit-codes.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import type { JournalStore } from '../journal/store.ts';
import { waitAfter } from '../pipeline/request/retry.ts';
import { formatCount, formatDuration, inSentence } from '../report/format.ts';
import { lackOfRoom, lackText, leftToRecord } from '../report/journal-room.ts';
import { embeddedLabel } from '../run/session/embedded-platform.ts';
import { recordedPlatforms } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** The result of one check of `doctor`. */
export interface Finding {
  readonly check:
    'configuration' | 'secrets' | 'journal' | 'pace' | 'reachability' | 'clock' | 'token' | 'read-back';
  /** `skipped`: there was nothing to check. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** The finding, in one sentence. */
  readonly detail: string;
  /** The remedy; absent if nothing is to be done. */
  readonly remedy?: string;
  /** The exit code of a run with this fault. */
  readonly exit?: ExitCode;
  /** Of reading back: the path in the answer, or the value that is not readable; a name that is near; the reason. */
  readonly field?: string;
  readonly near?: string;
  readonly reason?: string;
}

/** A clock difference that affects tokens and times of day, in milliseconds. */
const mostSkew = 60_000;
/** An account that no export has: the platform's answer shows only whether the token is accepted. */
const nobody = 'migrate-doctor-asks';

/** Checks that the configured platform answers, has the same time and accepts the credentials. Creates nothing. */
export async function examinePlatform(shell: Shell, config: Config): Promise<readonly Finding[]> {
  const { baseUrl } = config;
  if (baseUrl === undefined) {
    const detail = 'No platform is configured: runs are rehearsals against the embedded one.';
    return (['reachability', 'clock', 'token'] as const).map((check) => ({
      check,
      state: 'skipped',
      detail,
    }));
  }
  const unchecked = certificateFinding(shell);
  if (unchecked !== undefined) return unchecked;
  const proxies = proxiesTo(baseUrl, shell.env);
  const tls = await tlsFiles(config);
  const greeting = await asOftenAsARun(
    shell,
    config,
    () => probePlatform(baseUrl, config.timeouts.connectMs, { proxies, tls, userAgent: userAgent() }),
    (said) => said.kind === 'answered' || needsPerson(said.cause),
  );
  if (greeting.kind === 'silent') {
    const who = greeting.cause === 'proxy_unreachable' ? `The proxy to ${baseUrl}` : baseUrl;
    const detail = `${who} does not answer (${greeting.cause}).`;
    const waiting = `${baseUrl} does not answer.`;
    return [
      {
        check: 'reachability',
        state: 'failed',
        detail,
        remedy: inSentence(unavailability(greeting.cause)),
        exit: exitCodes.unavailable,
      },
      { check: 'clock', state: 'skipped', detail: waiting },
      (config.isAddressFound === true && (await credentialsFinding(shell, config, baseUrl))) || {
        check: 'token',
        state: 'skipped',
        detail: waiting,
      },
    ];
  }
  return [
    { check: 'reachability', state: 'ok', detail: `${baseUrl} answers.` },
    clockOf(greeting.now, shell.clock.now()),
    await examineToken(shell, config),
  ];
}

/** No request is sent while any certificate would be accepted. */
function certificateFinding(shell: Shell): readonly Finding[] | undefined {
  try {
    requireCertificateCheck(shell.env);
    return undefined;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    const waiting = 'The platform was not contacted.';
    return [
      { check: 'reachability', state: 'failed', detail: error.lines.join(' '), exit: error.exit },
      { check: 'clock', state: 'skipped', detail: waiting },
      { check: 'token', state: 'skipped', detail: waiting },
    ];
  }
}

/** Why there are no credentials to send; undefined if there are some. */
async function credentialsFinding(
  shell: Shell,
  config: Config,
  baseUrl: string,
): Promise<Finding | undefined> {
  try {
    await clientOptionsFor(shell, config, baseUrl);
    return undefined;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { check: 'token', state: 'failed', detail: error.lines.join(' '), exit: error.exit };
  }
}

function clockOf(theirs: number | undefined, ours: number): Finding {
  const check = 'clock';
  if (theirs === undefined)
    return { check, state: 'skipped', detail: 'The platform does not send its time.' };
  const skew = Math.abs(ours - theirs);
  if (skew <= mostSkew)
    return { check, state: 'ok', detail: 'The clocks of this machine and the platform agree.' };
  return {
    check,
    state: 'warning',
    detail: `This machine's clock is ${formatDuration(skew)} ${ours > theirs ? 'ahead of' : 'behind'} the platform's.`,
    remedy: 'Set the clock with NTP: windows, leases and tokens depend on it.',
  };
}

/** In ms. */
const mostWaited = 30_000;

/**
 * Asks again, with the waits of a run, until there is an answer or a run would give up too. `askedFor` is how
 * long the platform asks to wait (ms); if that is too long for a person who waits, it stops asking.
 */
export async function asOftenAsARun<Said>(
  { clock, random }: Shell,
  { retry }: Config,
  ask: () => Promise<Said>,
  isAnswer: (said: Said) => boolean,
  askedFor: (said: Said) => number | undefined = () => undefined,
): Promise<Said> {
  for (let tries = 1; ; tries += 1) {
    const said = await ask();
    if (isAnswer(said) || tries >= retry.attempts) return said;
    const wait = waitAfter(askedFor(said), tries, retry, random);
    if (wait > mostWaited) return said;
    await clock.sleep(wait);
  }
}

function isClear(kind: string): boolean {
  return ['ok', 'refused', 'not-found', 'unauthorized'].includes(kind);
}

async function examineToken(shell: Shell, config: Config): Promise<Finding> {
  const check = 'token';
  try {
    const connection = await connect(shell, config);
    try {
      const { client } = connection;
      const answer = await asOftenAsARun(
        shell,
        config,
        () => client.transferStatus({ supplier: config.supplier ?? nobody, account: nobody }),
        (said) => isClear(said.kind) || ('cause' in said && needsPerson(said.cause)),
        (said) => (said.kind === 'throttled' ? said.retryAfterMs : undefined),
      );
      switch (answer.kind) {
        case 'ok':
        case 'refused':
        case 'not-found':
          return { check, state: 'ok', detail: 'The platform accepts the credentials.' };
        case 'throttled':
          return {
            check,
            state: 'warning',
            detail: `The platform is busy (${answer.code ?? answer.status}), so the credentials could not be checked.`,
            remedy: 'Ask again later.',
          };
        case 'unauthorized':
          return {
            check,
            state: 'failed',
            detail: `The platform refused the credentials (${answer.detail}).`,
            remedy: 'Check the API key or token.',
            exit: exitCodes.credentialsRefused,
          };
        default:
          return {
            check,
            state: 'failed',
            detail: `The platform gave no clear answer (${answer.cause}).`,
            remedy: inSentence(unavailability(answer.cause)),
            exit: exitCodes.unavailable,
          };
      }
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { check, state: 'failed', detail: error.lines.join(' '), exit: error.exit };
  }
}

/** Free space in bytes below which a night's journal may not fit: about 200,000 accounts. */
const scarce = 1024 ** 3;

/** Checks that the journal can be used or created, and has room to grow. */
export async function examineJournal(environment: Environment, config: Config): Promise<Finding> {
  const check = 'journal';
  try {
    const store = journalOf(environment, config);
    const room = await store.room();
    if (room.kind === 'unwritable')
      return {
        check,
        state: 'failed',
        ...(room.isReadOnly === true
          ? {
              detail: `${room.place} is on a read-only file system.`,
              remedy: 'Name another place with --journal, or mount it for writing.',
            }
          : {
              detail: `You cannot write to ${room.place}.`,
              remedy: 'Change its permissions, or name another place with --journal.',
            }),
        exit: exitCodes.usage,
      };
    const { free = Infinity } = room;
    await store.tryPlace();
    const { detail, warning, left } = await contents(store, config);
    if (warning !== undefined)
      return {
        check,
        state: 'warning',
        detail: warning,
        remedy: 'Before the next run, make sure that this is the intended journal.',
        ...((await store.isGone()) ? { state: 'failed' as const, exit: exitCodes.usage } : {}),
      };
    const lack = lackOfRoom(room.free, left ?? 0, config.baseUrl === undefined);
    if (lack !== undefined)
      return {
        check,
        state: 'warning',
        detail: `${detail} ${inSentence(lackText(lack))}.`,
        remedy: 'Free space before the next run.',
      };
    if (free >= scarce) return { check, state: 'ok', detail };
    return {
      check,
      state: 'warning',
      detail: `${detail} Its disk has ${formatCount(free / 1024 ** 2)} MB left.`,
      remedy: 'Free space: a journal takes about 5 KB for each account.',
    };
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    if (error.reason === 'outdated')
      return { check, state: 'warning', detail: error.message, remedy: 'Run `migrate journal upgrade`.' };
    return { check, state: 'failed', detail: error.message, exit: exitCodes.usage };
  }
}

async function contents(
  store: JournalStore,
  config: Config,
): Promise<{
  readonly detail: string;
  readonly warning?: string | undefined;
  /** Accounts on the platform in force that are not finished; absent if that is not known. */
  readonly left?: number | undefined;
}> {
  try {
    const journal = await store.open({ create: false, reading: true });
    try {
      // A supplier may have accounts on several platforms.
      const books = await journal.overview();
      const suppliers = [...new Set(books.map(({ supplier }) => supplier))];
      const known = suppliers.length === 0 ? 'no accounts yet' : `accounts of ${suppliers.join(', ')}`;
      const warning = markWarning(store.location, await journal.compareMark());
      const detail = `${store.location} is in order and has ${known}.`;
      return { detail, warning, left: leftToRecord(await booksInForce(journal, config, books)) };
    } finally {
      await journal.close();
    }
  } catch (error) {
    // Its directory was already checked.
    if (!(error instanceof DatabaseRefused) || error.reason !== 'missing') throw error;
    if (await store.isGone()) return { detail: '', warning: lostJournal(store.location) };
    return { detail: `${store.location} does not exist yet; the first run creates it.` };
  }
}

async function booksInForce(
  journal: Journal,
  config: Config,
  books: readonly SupplierOverview[],
): Promise<readonly SupplierOverview[]> {
  if (config.baseUrl === undefined)
    return books.filter(({ platformLabel }) => platformLabel === embeddedLabel);
  const platforms = new Set((await recordedPlatforms(journal, config)).map(({ platform }) => platform));
  return books.filter(({ platform }) => platforms.has(platform));
}
