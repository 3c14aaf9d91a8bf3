import type { JsonObject } from '../domain/json.ts';
import { datetimeText, lastDay } from './calendar.ts';
import type { AccountContext } from './account-context.ts';

const bodies = [
  'Customer asked: "When is the next reading?"',
  'Zahlungsplan vereinbart, Rückruf am Freitag',
  'Left a message;\nno answer, will call again',
  'Prefers letters, large print',
  'Meter in the cellar\nkey with neighbour, flat 3',
] as const;

/** The notes of an account, no two alike in their bodies (interface, section 2.7). */
export function notesOf(context: AccountContext): JsonObject[] {
  const usual = context.position % 7 === 5 ? 0 : 1 + (context.position % 4) + Number(context.oneIn(2));
  const count = context.settings.notesPerAccount ?? usual;
  return Array.from({ length: count }, (_, index) => note(context, index));
}

function note(context: AccountContext, index: number): JsonObject {
  const { account, random, opened, oneIn } = context;
  const day = random.between(opened, lastDay);
  const second = random.between(0, 86_399);
  const pinned = index === 0 && oneIn(2);
  const scanned = index === 1 && oneIn(3);
  return {
    // A note without a body could not be repeated after a lost answer, so a rehearsal has none.
    body: `${index + 1}. ${random.pick(bodies)}`,
    ...(scanned && {
      document_paths: ['letter', 'envelope'].map((name) => ({
        document_path: `notes/${account}/${index + 1}-${name}.pdf`,
      })),
    }),
    ...(!(index === 1 && oneIn(5)) && { created_at: datetimeText(day, second) }),
    ...(pinned && { is_pinned: true, unpin_at: datetimeText(day + random.between(1, 30), second) }),
    ...(index === 1 && { is_pinned: false }),
  };
}
