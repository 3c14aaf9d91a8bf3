import type { AccountKey } from '../domain/account-key.ts';

export interface RecentPayloads {
  /** Whose payload this text is, if it was validated lately. */
  readonly find: (text: string) => AccountKey | undefined;
  readonly add: (text: string, key: AccountKey) => void;
}

interface Validated {
  readonly text: string;
  readonly key: AccountKey;
}

/** Most characters that are remembered, all texts together. */
const most = 4_000_000;

/**
 * Remembers account payloads that were validated, by their text: an account is validated and then staged as it was, which
 * need not cost the same check twice.
 */
export function createRecentPayloads(): RecentPayloads {
  const validated = new Map<string, Validated>();
  let held = 0;
  const forget = (mark: string): void => {
    held -= validated.get(mark)?.text.length ?? 0;
    validated.delete(mark);
  };
  return {
    find: (text) => {
      const found = validated.get(markOf(text));
      return found?.text === text ? found.key : undefined;
    },
    add: (text, key) => {
      const mark = markOf(text);
      forget(mark);
      validated.set(mark, { text, key });
      held += text.length;
      for (const oldest of validated.keys()) {
        if (held <= most) return;
        forget(oldest);
      }
    },
  };
}

/** The text after the name of the account's number distinguishes most payloads. Hashing the whole text is slower. */
function markOf(text: string): string {
  const name = '"external_account_number"';
  const at = text.indexOf(name) + name.length;
  return text.slice(at, at + 64);
}
