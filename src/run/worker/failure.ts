import { DatabaseRefused } from '../../domain/database-refused.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { SentError } from './messages.ts';

/** An error in a form that can be sent to another thread, which would lose its class. */
export function failureOf(error: unknown): SentError {
  if (error instanceof CannotStart) {
    const { exit, lines, problems } = error;
    return { kind: 'cannot-start', exit, lines, problems };
  }
  if (error instanceof DatabaseRefused)
    return { kind: 'database', reason: error.reason, message: error.message };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'bug', message, stack };
}

/** The error again. */
export function errorOf(failure: SentError): Error {
  switch (failure.kind) {
    case 'cannot-start':
      return new CannotStart(failure.exit, failure.lines, failure.problems);
    case 'database':
      return new DatabaseRefused(failure.reason, failure.message);
    case 'bug': {
      const error = new Error(failure.message);
      if (failure.stack !== undefined) error.stack = failure.stack;
      return error;
    }
  }
}
