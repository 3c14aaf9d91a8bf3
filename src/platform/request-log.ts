import type { HeardRequest } from './http/server.ts';

/** One answered request, for the request log: no body, no account, no key. */
export interface RequestLogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** The endpoint's name in the contract's table, or another path of the platform; '' if none matched. */
  readonly endpoint: string;
  /** HTTP status; 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Where a bug of the platform showed; its message is left out, because it may quote what was sent. */
  readonly fault?: string | undefined;
}

export function logEntryOf(
  { method, place, status, startedAt, fault }: HeardRequest,
  now: number,
): RequestLogEntry {
  return {
    at: startedAt,
    method,
    endpoint: place?.name ?? '',
    status,
    durationMs: now - startedAt,
    fault: fault === undefined ? undefined : traceOf(fault),
  };
}

function traceOf(fault: unknown): string {
  if (!(fault instanceof Error)) return typeof fault;
  const frames = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return [fault.name, ...frames.map((line) => line.trim())].join('\n');
}
