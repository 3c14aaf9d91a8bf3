import type { Socket } from 'node:net';

/** Answers that are to be sent once more on their connections, as bytes on the wire. */
const waiting = new WeakMap<Socket, string>();

/** Keeps an answer until the next request arrives on its connection. */
export function keepSecondCopy(socket: Socket, answer: string): void {
  waiting.set(socket, answer);
}

/** Writes what was kept for the connection: a client takes it for the answer to the request that has just arrived. */
export function sendSecondCopy(socket: Socket): void {
  const answer = waiting.get(socket);
  if (answer === undefined) return;
  waiting.delete(socket);
  socket.write(answer);
}
