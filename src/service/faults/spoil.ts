import type { Reply } from '../reply.ts';

/** No answer: the connection is closed, or left to hang. */
export function silence(spoil: 'reset' | 'hang'): Reply {
  return { status: 0, spoil };
}

/** A page of HTML, as a proxy in between would answer. */
export function htmlPage(status: number): Reply {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return { status, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** The same answer, not JSON any more. */
export function malformed(reply: Reply): Reply {
  return reply.pieces === undefined
    ? { ...reply, body: `{${reply.body ?? ''}` }
    : { ...reply, pieces: spoiledPieces(reply.pieces) };
}

function* spoiledPieces(pieces: Iterable<string>): Generator<string> {
  yield '{';
  yield* pieces;
}
