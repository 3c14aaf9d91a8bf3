import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Reply } from '../reply.ts';

/** Writes an answer; pieces are made only as fast as the other side takes them. */
export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const type =
    reply.body === undefined && reply.pieces === undefined ? {} : { 'content-type': 'application/json' };
  if (reply.pieces === undefined) {
    const body = reply.body ?? '';
    response.writeHead(reply.status, {
      ...type,
      'content-length': Buffer.byteLength(body),
      ...reply.headers,
    });
    response.end(body);
    return;
  }
  response.writeHead(reply.status, { ...type, ...reply.headers });
  for (const piece of reply.pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
