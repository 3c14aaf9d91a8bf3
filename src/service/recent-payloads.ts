import type { AccountKey } from '../domain/account-key.ts';
import type { JsonObject } from '../domain/json.ts';

/** A payload that passed the rules. */
export interface Payload {
  readonly key: AccountKey;
  readonly body: JsonObject;
  /** The body as it was sent. */
  readonly text: string;
}

export interface RecentPayloads {
  /** The payload of this text, if it passed lately. */
  readonly find: (text: string) => Payload | undefined;
  readonly add: (payload: Payload) => void;
}

/** Most characters that are remembered, all texts together. */
const most = 4_000_000;

/**
 * Remembers account payloads that passed, by their text: an account is validated and then staged as it was, which
 * need not cost the same check twice.
 */
export function createRecentPayloads(): RecentPayloads {
  const passed = new Map<string, Payload>();
  let held = 0;
  return {
    find: (text) => passed.get(text),
    add: (payload) => {
      if (passed.has(payload.text)) return;
      passed.set(payload.text, payload);
      held += payload.text.length;
      for (const oldest of passed.keys()) {
        if (held <= most) return;
        passed.delete(oldest);
        held -= oldest.length;
      }
    },
  };
}
