import type { Answer } from './platform-client.ts';
import { hiddenSecret } from './secret-filter.ts';

export type Unauthorized = Extract<Answer<never>, { kind: 'unauthorized' }>;

/**
 * An answer that refuses the credentials. Platforms echo what they were sent, especially in GraphQL errors, so the
 * message is passed on only if it contains no secret. `code` is the platform's, if it gave one.
 */
export function unauthorized(
  status: number,
  tokenId: number,
  said: string,
  secret: string,
  code = '',
): Unauthorized {
  const isHidden = (text: string): boolean =>
    text === '' || text.includes(secret) || text.includes(hiddenSecret);
  const told = isHidden(said) ? `The platform refused the credentials (status ${status}).` : said;
  return { kind: 'unauthorized', status, tokenId, detail: isHidden(code) ? told : `${told} (${code})` };
}
