import type { Answer } from './platform-client.ts';
import { hiddenSecret } from './secret-filter.ts';

export type Unauthorized = Extract<Answer<never>, { kind: 'unauthorized' }>;

/**
 * An answer that refuses the credentials. Platforms echo what they were sent, especially in GraphQL errors, so the
 * message is passed on only if it contains no secret.
 */
export function unauthorized(status: number, tokenId: number, said: string, secret: string): Unauthorized {
  const detail =
    said === '' || said.includes(secret) || said.includes(hiddenSecret)
      ? `The platform refused the credentials (status ${status}).`
      : said;
  return { kind: 'unauthorized', status, tokenId, detail };
}
