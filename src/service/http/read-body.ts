import type { IncomingMessage } from 'node:http';

export type Body = { readonly bytes: Buffer } | 'too-large' | 'cut-off';

/**
 * Collects a request's body of at most `limit` bytes. What is longer is read to its end and let go, so that the
 * sender hears the answer; beyond eight times the limit the connection is closed.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        chunks = [];
        if (length > 8 * limit) request.destroy();
      }
    });
    request.on('end', () => resolve(length > limit ? 'too-large' : { bytes: Buffer.concat(chunks) }));
    request.on('close', () => resolve('cut-off'));
    request.on('error', () => resolve('cut-off'));
  });
}
