import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Drip, Interim, PlatformReply } from '../reply.ts';
import { drip, rawHead, type Pause } from './raw-answer.ts';

/**
 * Writes an answer, or fails to, as its fault asks. Pieces are made only as fast as the other side takes them.
 * `platformId` goes with every answer as `x-platform-id`.
 */
export async function send(
  response: ServerResponse,
  reply: PlatformReply,
  platformId: string,
  pause: Pause,
): Promise<void> {
  const { corruption } = reply;
  if (corruption === 'hang') return;
  if (corruption === 'reset') response.socket?.resetAndDestroy();
  else if (corruption === undefined || corruption === 'truncate') await write(response, reply, platformId);
  else if (response.socket !== null)
    await sendOddly(response, response.socket, reply, corruption, platformId, pause);
}

/** Writes an answer in a way that no server should. */
async function sendOddly(
  response: ServerResponse,
  socket: Socket,
  reply: PlatformReply,
  corruption: 'twice' | Drip | Interim,
  platformId: string,
  pause: Pause,
): Promise<void> {
  if (typeof corruption === 'object' && corruption.kind === 'interim') {
    if (await sendInterims(socket, corruption, pause)) await write(response, reply, platformId);
    return;
  }
  const { status } = reply;
  const body = reply.pieces === undefined ? (reply.body ?? '') : [...reply.pieces].join('');
  const headers = headersOf(reply, platformId, Buffer.byteLength(body));
  if (corruption !== 'twice') {
    await drip(socket, { status, headers, body }, corruption, pause);
    return;
  }
  keepSecondCopy(socket, rawHead(status, headers) + body);
  response.writeHead(status, headers);
  response.end(body);
}

async function write(response: ServerResponse, reply: PlatformReply, platformId: string): Promise<void> {
  const { status, body, pieces, corruption } = reply;
  if (pieces === undefined) {
    const text = body ?? '';
    response.writeHead(status, headersOf(reply, platformId, Buffer.byteLength(text)));
    if (corruption === 'truncate') breakOff(response, text.slice(0, text.length / 2));
    else response.end(text);
    return;
  }
  response.writeHead(status, headersOf(reply, platformId));
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (corruption === 'truncate') {
      breakOff(response, piece.slice(0, piece.length / 2));
      return;
    }
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

/** Names and values in turn: Node takes such a list as it is. */
function headersOf({ headers, body, pieces }: PlatformReply, platformId: string, length?: number): string[] {
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

/** Writes interim answers; false if the answer itself must not follow. */
async function sendInterims(
  socket: Socket,
  { status, times, endless, everyMs }: Interim,
  pause: Pause,
): Promise<boolean> {
  const text = rawHead(status, status === 103 ? ['link', '</style.css>; rel=preload'] : []);
  for (let sent = 0; endless || sent < times; sent++) {
    if (sent > 0 && !(await pause(everyMs))) return false;
    if (socket.destroyed) return false;
    socket.write(text);
  }
  return true;
}

/** Answers that are to be sent once more on their connections, as bytes on the wire. */
const waiting = new WeakMap<Socket, string>();

/** Keeps an answer until the next request arrives on its connection. */
function keepSecondCopy(socket: Socket, answer: string): void {
  waiting.set(socket, answer);
}

/** Writes what was kept for the connection: a client takes it for the answer to the request that has just arrived. */
export function sendSecondCopy(socket: Socket): void {
  const answer = waiting.get(socket);
  if (answer === undefined) return;
  waiting.delete(socket);
  socket.write(answer);
}
