import type { Answer } from './platform-client.ts';

/** The form of the token in the Authorization header: `Token <token>` (section 5), `Bearer <token>`, or the bare token. */
export type HeaderForm = 'token' | 'bearer' | 'bare';

const schemes: Readonly<Record<HeaderForm, string>> = { token: 'Token ', bearer: 'Bearer ', bare: '' };

/** The credentials of a request (section 5). */
export interface Authorization {
  /** Identifies the token in `unauthorized` answers, so that it is renewed once however many of them there are. */
  readonly id: number;
  /** Value of the Authorization header. */
  readonly header: string;
  /** A secret that must not be repeated to anybody. */
  readonly secret: string;
}

/** Provides the authorization of requests. */
export interface Authorizer {
  /**
   * The authorization to use now. Anything but `ok` is the answer to the request that needed it, which was not sent.
   */
  get(signal: AbortSignal | undefined): Promise<Answer<Authorization>>;
  /** Drops the authorization with this id; another one stays. */
  discard(id: number): void;
}

/** Characters that a header can carry; a token has no space either. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

export function authorizationOf(id: number, token: string, form: HeaderForm = 'token'): Authorization {
  return { id, header: `${schemes[form]}${token}`, secret: token };
}

/** A configured token, used as it is: there is nothing to renew it with. */
export function fixedToken(token: string, form?: HeaderForm): Authorizer {
  if (!isToken(token))
    throw new Error(
      'The token contains a space, a line break or another character that a header cannot carry. Check how it was copied.',
    );
  const answer = { kind: 'ok', status: 200, body: authorizationOf(1, token, form) } as const;
  return {
    get: () => Promise.resolve(answer),
    discard: () => undefined,
  };
}
