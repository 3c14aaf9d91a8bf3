import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { once } from 'node:events';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { AccountState } from '../domain/account-state.ts';
import { cellRecord } from '../domain/cell.ts';
import { safeJson } from '../domain/foreign-text.ts';
import { whyUnwritten } from '../domain/unwritten.ts';
import { makeDirectory } from '../domain/make-directory.ts';
import type { RunEvent } from '../pipeline/run/run-events.ts';
import { endedWell } from '../domain/stop-reason.ts';
import { reasonOf, type EndedRun, type ObservedEnd, type RunObserver } from './run-observer.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogSettings {
  /** Absolute path. */
  readonly file: string;
  readonly level: LogLevel;
  /** Size at which the file is renamed and compressed, in megabytes, and the number of such files to keep. */
  readonly rotateMb: number;
  readonly keep: number;
}

/** The fields of a line. There is no field for a name, a value, a message or a secret, so none can get in. */
interface Fields {
  readonly account?: string | null;
  readonly supplier?: string | undefined;
  readonly step?: string | undefined;
  readonly state?: string;
  readonly code?: string;
  readonly outcome?: string;
  readonly status?: number | undefined;
  readonly cause?: string | undefined;
  readonly path?: string;
  readonly severity?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: string;
  readonly waitMs?: number;
  readonly tookMs?: number;
  readonly durationMs?: number;
  readonly limit?: number;
  readonly bytes?: number | undefined;
  readonly reason?: string;
  readonly platform?: string;
  readonly dryRun?: boolean;
  readonly exit?: number;
  readonly requests?: number;
  readonly retries?: number;
  readonly accounts?: EndedRun['accounts'];
  readonly count?: number;
  readonly workLeft?: boolean;
  /** Why a run could not start: settings and files. */
  readonly detail?: string;
}

type Line = readonly [level: LogLevel, event: string, fields: Fields];

/** With more than this in memory (bytes), the file counts as not accepting data. */
const mostWaiting = 64 * 1024 * 1024;

/**
 * Writes a run as JSON lines, each with its time (UTC), level, run id and event; `failed` is called once with the
 * reason and the remedy, in sentences, if the file cannot be written. The run continues without its log.
 */
export function logFile(settings: LogSettings, failed: (reason: string) => void): RunObserver {
  const name = `the log ${settings.file}`;
  const obstacle = obstacleAt(settings.file);
  if (obstacle !== undefined) {
    failed(obstacle);
    return { name, hear: () => undefined, end: () => Promise.resolve() };
  }
  const stream = createStream(basename(settings.file), {
    path: dirname(settings.file),
    size: `${settings.rotateMb}M`,
    rotate: settings.keep,
    compress: 'gzip',
    mode: 0o600,
  });
  let isBroken = false;
  const broken = (error: Error): void => {
    if (isBroken) return;
    isBroken = true;
    failed('syscall' in error ? whyUnwritten(error) : `${error.message}.`);
  };
  stream.on('error', broken);
  stream.on('warning', broken);
  let logger = pino(
    {
      level: settings.level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // A log is shown on terminals too.
      hooks: { streamWrite: (line) => `${safeJson(line.trimEnd())}\n` },
    },
    stream,
  );
  const write = ([level, event, fields]: Line): void => {
    if (isBroken) return;
    logger[level](fields, event);
    if (stream.writableLength > mostWaiting) broken(new Error('it accepts no data'));
  };
  return {
    name,
    hear(event) {
      if (event.type === 'begun') logger = logger.child({ run: event.run });
      write(lineOf(event));
    },
    async end(end) {
      write(lastLine(end));
      if (isBroken) return;
      stream.end();
      await Promise.race([once(stream, 'finish'), once(stream, 'error')]).catch(broken);
    },
  };
}

/** Why the file or its directory cannot be written, if that is known in advance. */
function obstacleAt(file: string): string | undefined {
  try {
    makeDirectory(dirname(file), 0o700);
    const isOther = statSync(file, { throwIfNoEntry: false })?.isFile() === false;
    return isOther ? 'it is not a regular file.' : undefined;
  } catch (error) {
    return whyUnwritten(error);
  }
}

function lastLine(end: ObservedEnd): Line {
  const level = endedWell(end.exit, reasonOf(end)) ? 'info' : 'error';
  if (end.kind !== 'ended') {
    const { kind, exit, reason, detail } = end;
    return [level, kind === 'not-begun' ? 'run not begun' : 'run broke off', { exit, reason, detail }];
  }
  const { exit, accounts, requests, retries, durationMs, workLeft, stopped, errors = [] } = end;
  const why = errors.length === 0 ? {} : { errors };
  const fields = { exit, accounts, requests, retries, durationMs, workLeft, ...why };
  return [level, 'run ended', stopped === undefined ? fields : { ...fields, reason: stopped }];
}

const untroubled: ReadonlySet<AccountState> = new Set([
  'completed',
  'imported',
  'staged',
  'scheduled',
  'pending',
]);

function lineOf(event: RunEvent): Line {
  switch (event.type) {
    case 'begun': {
      const { platform, supplier, dryRun } = event;
      return ['info', 'run begun', { platform, dryRun, supplier }];
    }
    case 'account': {
      const { account, supplier, state, code } = event;
      return [untroubled.has(state) ? 'debug' : 'warn', 'account', { account, supplier, state, code }];
    }
    case 'restated': {
      const { account, supplier, state, code } = event;
      return ['warn', 'account restated', { account, supplier, state, code }];
    }
    case 'changed': {
      const { account, supplier } = event;
      return ['info', 'rows changed', { account, supplier }];
    }
    case 'book':
      return ['debug', 'book passed', { count: event.passed }];
    case 'unchanged':
      return ['debug', 'accounts unchanged', { count: event.accounts }];
    case 'problem': {
      const { account, step, code, path, severity, cell } = event.problem;
      const where = cell && cellRecord(cell);
      const fields = { account, code, path, severity, ...where, step };
      return ['warn', 'problem', fields];
    }
    case 'request': {
      const { account, step, outcome, status, cause, tookMs } = event;
      const what = { status, cause };
      return ['debug', 'request', { account, step, outcome, tookMs, ...what }];
    }
    case 'retry': {
      const { account, step, cause, waitMs } = event;
      return ['info', 'retry', { account, step, cause, waitMs }];
    }
    case 'flow':
      return ['debug', 'flow', { ...event.requests, ...event.pace }];
    case 'outage':
      return ['warn', 'platform gone', { cause: event.cause }];
    case 'unknown-status':
      return ['warn', 'unknown-status', { account: event.account }];
    case 'items': {
      const { type: _type, ...items } = event;
      return ['info', 'added step', items];
    }
    case 'held':
      return ['warn', 'step held', { step: event.step, reason: event.looks }];
    case 'body-limit':
      return ['info', 'body limit', { bytes: event.limit?.refusedBytes }];
    case 'recovered':
      return ['info', 'platform back', { durationMs: event.afterMs }];
  }
}
