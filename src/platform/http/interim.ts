import type { Socket } from 'node:net';
import type { Interim } from '../reply.ts';
import type { Pause } from './drip.ts';
import { rawHead } from './raw-answer.ts';

/** Writes interim answers; false if the answer itself must not follow. */
export async function sendInterims(
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
