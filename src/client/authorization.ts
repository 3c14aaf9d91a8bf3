import type { Answer } from './platform-client.ts';

/** How the token stands in the Authorization header: `Token <token>` (section 5), or the bare token. */
export type HeaderForm = 'token' | 'bare';

/** What a request identifies itself with (section 5). */
export interface Authorization {
  /** Names the token in `unauthorized` answers, so that it is renewed once however many of them there are. */
  readonly id: number;
  /** Value of the Authorization header. */
  readonly header: string;
  /** What must not be repeated to anybody. */
  readonly secret: string;
}

/** Where the authorization of requests comes from. */
export interface Authorizer {
  /** The authorization to use now. Anything but `ok` is the answer to the request that needed it: it was not sent. */
  get(signal: AbortSignal | undefined): Promise<Answer<Authorization>>;
  /** Forgets the authorization of this id; another one stays. */
  discard(id: number): void;
}

/** What a header can carry; a token holds no space either. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

export function authorizationOf(id: number, token: string, form: HeaderForm = 'token'): Authorization {
  return { id, header: form === 'bare' ? token : `Token ${token}`, secret: token };
}

/** A token that was given, and is used as it is: there is nothing to renew it with. */
export function fixedToken(token: string, form?: HeaderForm): Authorizer {
  if (!isToken(token))
    throw new Error(
      'The token holds a space, a line break or another character that a header cannot carry. Check how it was copied.',
    );
  const answer = { kind: 'ok', status: 200, body: authorizationOf(1, token, form) } as const;
  return {
    get: () => Promise.resolve(answer),
    discard: () => undefined,
  };
}
