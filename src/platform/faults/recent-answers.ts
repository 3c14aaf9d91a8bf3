import type { AccountKey } from '../../domain/account-key.ts';
import { keyText } from '../platform-context.ts';
import type { Reply } from '../reply.ts';

/** The latest answers of each endpoint, for those that go astray. */
export interface RecentAnswers {
  /** Takes an answer to a request about an account; one about none, or in pieces, is let go. */
  keep(endpoint: string, key: AccountKey, reply: Reply): void;
  /** The latest answer of the endpoint to a request about another account. */
  ofAnother(endpoint: string, key: AccountKey): Reply | undefined;
}

interface Kept {
  readonly about: string;
  readonly reply: Reply;
}

export function createRecentAnswers(): RecentAnswers {
  /** By endpoint: the latest answer, and the latest one about another account than that. */
  const kept = new Map<string, readonly Kept[]>();
  const others = (endpoint: string, about: string): readonly Kept[] =>
    (kept.get(endpoint) ?? []).filter((one) => one.about !== about);
  return {
    keep: (endpoint, key, reply) => {
      if (key.account === '' || reply.pieces !== undefined) return;
      const about = keyText(key);
      kept.set(endpoint, [{ about, reply }, ...others(endpoint, about).slice(0, 1)]);
    },
    ofAnother: (endpoint, key) => others(endpoint, keyText(key))[0]?.reply,
  };
}
