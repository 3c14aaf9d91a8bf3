import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Reply } from '../reply.ts';

/**
 * Writes an answer, or fails to, as its fault asks. Pieces are made only as fast as the other side takes them.
 * `platformId` goes with every answer as `x-platform-id`.
 */
export async function send(response: ServerResponse, reply: Reply, platformId: string): Promise<void> {
  if (reply.spoil === 'hang') return;
  if (reply.spoil === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, body, pieces, spoil } = reply;
  if (pieces === undefined) {
    const text = body ?? '';
    response.writeHead(status, headersOf(reply, platformId, Buffer.byteLength(text)));
    if (spoil === 'truncate') breakOff(response, text.slice(0, text.length / 2));
    else response.end(text);
    return;
  }
  response.writeHead(status, headersOf(reply, platformId));
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

/** Names and values in turn: Node takes such a list as it is. */
function headersOf({ headers, body, pieces }: Reply, platformId: string, length?: number): string[] {
  const list = ['x-platform-id', platformId];
  const hasType = headers?.['content-type'] !== undefined || (body === undefined && pieces === undefined);
  if (!hasType) list.push('content-type', 'application/json');
  if (length !== undefined) list.push('content-length', String(length));
  return headers === undefined ? list : [...list, ...Object.entries(headers).flat()];
}

function breakOff(response: ServerResponse, text: string): void {
  // A text of nothing would never call back.
  response.write(text === '' ? ' ' : text, () => response.destroy());
}
