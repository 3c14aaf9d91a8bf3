import type { IncomingMessage } from 'node:http';
import type { HttpLimits } from './limits.ts';

export type Body = { readonly bytes: Buffer } | 'too-large' | 'no-room' | 'cut-off';

/**
 * Makes a reader of request bodies that holds no more bytes at once than the limits say, one body or all of them
 * together. What is too much is read to its end and let go, so that the sender hears the answer; eight times too much
 * closes the connection.
 */
export function createBodyReader({
  bodyBytes,
  heldBytes,
}: HttpLimits): (request: IncomingMessage) => Promise<Body> {
  let heldByAll = 0;
  return (request) =>
    new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let [length, held] = [0, 0];
      let refused: 'too-large' | 'no-room' | undefined;
      const letGo = (): void => {
        heldByAll -= held;
        [chunks, held] = [[], 0];
      };
      const end = (body: Body): void => {
        letGo();
        resolve(body);
      };
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > 8 * bodyBytes) request.destroy();
        if (length > bodyBytes) refused ??= 'too-large';
        else if (heldByAll + chunk.length > heldBytes) refused ??= 'no-room';
        if (refused !== undefined) letGo();
        else {
          chunks.push(chunk);
          held += chunk.length;
          heldByAll += chunk.length;
        }
      });
      request.on('end', () => end(refused ?? { bytes: joined(chunks) }));
      request.on('close', () => end('cut-off'));
      request.on('error', () => end('cut-off'));
    });
}

/** Most bodies arrive at once, and need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only, another] = chunks;
  return only !== undefined && another === undefined ? only : Buffer.concat(chunks);
}
