import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Drip } from '../reply.ts';

/** Waits this many milliseconds; false if the platform stops in the meantime. */
export type Pause = (ms: number) => Promise<boolean>;

/** What an answer consists of, with the length of its body among the headers. */
interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * Writes an answer byte by byte and then closes the connection; an endless one continues until the other side closes
 * it.
 */
export async function drip(socket: Socket, answer: Answer, how: Drip, pause: Pause): Promise<void> {
  const { from, endless, everyMs } = how;
  const { status, headers, body } = answer;
  const head = rawHead(status, [...(endless ? withoutLength(headers) : headers), 'connection', 'close']);
  let bytes: Iterable<string | Buffer>;
  if (from === 'body') {
    socket.write(head);
    bytes = endless ? followed(body, ' ') : bytesOf(body);
  } else bytes = endless ? followed(`${head.slice(0, -2)}x-drip: `, 'x') : bytesOf(head + body);
  for (const byte of bytes) {
    if (socket.destroyed || !(await pause(everyMs))) return;
    socket.write(byte);
  }
  socket.end();
}

/** Without a length, what follows the answer still belongs to it. */
function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_, at) => headers[at - (at % 2)] !== 'content-length');
}

function* bytesOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

function* followed(text: string, filler: string): Generator<string | Buffer> {
  yield* bytesOf(text);
  for (;;) yield filler;
}

/** The head of an answer as it goes over the wire; `headers` are names and values in turn. */
export function rawHead(status: number, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
