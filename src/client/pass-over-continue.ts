import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const [carriageReturn, lineFeed, zero, one, two] = [0x0d, 0x0a, 0x30, 0x31, 0x32] as const;
/** Position of the three digits of the status in a status line (`HTTP/1.1 100 Continue`). */
const [hundreds, tens, units] = [9, 10, 11];

/**
 * Connections that ignore an unrequested 100 Continue, as RFC 9110 (15.2) requires. undici ignores every interim
 * answer except this one, for which it destroys the connection and with it the real answer: so it is given a 102
 * instead.
 */
export function passOverContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      const [error, socket] = connected;
      if (error === null) rename(socket);
      callback(...connected);
    });
}

function rename(socket: Socket): void {
  const heads = new InterimHeads();
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.write = (...args: unknown[]): boolean => {
    heads.expect();
    return write(...args);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk !== null) heads.pass(chunk);
    return chunk;
  };
}

/** Finds the heads of interim answers (1xx) between a request and its answer, wherever they are cut into chunks. */
class InterimHeads {
  #isExpected = false;
  /** Bytes of the current head so far, and how much of its empty last line was seen. */
  #at = 0;
  #ended = 0;
  #is10 = false;

  /** A request is written. */
  expect(): void {
    this.#isExpected = true;
    this.#at = 0;
    this.#ended = 0;
  }

  /** Changes each 100 in the chunk into 102. */
  pass(chunk: Buffer): void {
    for (let index = 0; this.#isExpected && index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#at === 0 && (byte === carriageReturn || byte === lineFeed)) continue;
      if (this.#at === hundreds && byte !== one) this.#isExpected = false;
      if (this.#at === tens) this.#is10 = byte === zero;
      if (this.#at === units && this.#is10 && byte === zero) chunk[index] = two;
      this.#at += 1;
      const wanted = this.#ended % 2 === 0 ? carriageReturn : lineFeed;
      if (byte === wanted) this.#ended += 1;
      else this.#ended = byte === carriageReturn ? 1 : 0;
      if (this.#ended === 4) [this.#at, this.#ended] = [0, 0];
    }
  }
}
