import type { Reply } from '../reply.ts';
import type { PageBody } from './fault-rules.ts';

/** No answer: the connection is closed, or left to hang. */
export function silence(corruption: 'reset' | 'hang'): Reply {
  return { status: 0, corruption };
}

/** A page of HTML, as a proxy in between would answer. */
export function htmlPage(status: number): Reply {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return { status, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** What a proxy answers that has not asked the platform, or does not pass its answer on. */
export function proxyPage(status: number, said?: PageBody): Reply {
  switch (status === 204 || status === 304 ? 'empty' : (said ?? (status === 202 ? 'queued' : 'html'))) {
    case 'html':
      return htmlPage(status);
    case 'queued':
      return { status, body: '{"queued":true}' };
    case 'error':
      return { status, body: '{"status":"error"}' };
    case 'empty':
      return { status };
  }
}

/** The same answer as invalid JSON. */
export function malformed(reply: Reply): Reply {
  return reply.pieces === undefined
    ? { ...reply, body: `{${reply.body ?? ''}` }
    : { ...reply, pieces: corruptedPieces(reply.pieces) };
}

function* corruptedPieces(pieces: Iterable<string>): Generator<string> {
  yield '{';
  yield* pieces;
}
