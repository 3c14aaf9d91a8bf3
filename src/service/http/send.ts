import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Reply } from '../reply.ts';

/** Writes an answer, or fails to, as its fault asks. Pieces are made only as fast as the other side takes them. */
export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.spoil === 'hang') return;
  if (reply.spoil === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, body, pieces, spoil } = reply;
  const type = body === undefined && pieces === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...type, ...reply.headers };
  if (pieces === undefined) {
    const text = body ?? '';
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
    if (spoil === 'truncate') breakOff(response, text.slice(0, text.length / 2));
    else response.end(text);
    return;
  }
  response.writeHead(status, headers);
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (spoil === 'truncate') {
      breakOff(response, piece.slice(0, piece.length / 2));
      return;
    }
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

function breakOff(response: ServerResponse, text: string): void {
  // A text of nothing would never call back.
  response.write(text === '' ? ' ' : text, () => response.destroy());
}
