import type { JsonObject } from '../domain/json.ts';
import { datetimeText, lastDay } from './calendar.ts';
import type { Sheet } from './sheet.ts';

const bodies = [
  'Customer asked: "When is the next reading?"',
  'Zahlungsplan vereinbart, Rückruf am Freitag',
  'Left a message;\nno answer, will call again',
  'Prefers letters, large print',
  'Meter in the cellar\nkey with neighbour, flat 3',
] as const;

/** The notes of an account, no two alike in their bodies (interface, section 2.7). */
export function notesOf(sheet: Sheet): JsonObject[] {
  const usual = sheet.position % 7 === 5 ? 0 : 1 + (sheet.position % 4) + Number(sheet.oneIn(2));
  const count = sheet.settings.notesPerAccount ?? usual;
  return Array.from({ length: count }, (_, index) => note(sheet, index));
}

function note(sheet: Sheet, index: number): JsonObject {
  const { account, dice, opened, oneIn } = sheet;
  const day = dice.between(opened, lastDay);
  const second = dice.between(0, 86_399);
  const pinned = index === 0 && oneIn(2);
  const scanned = index === 1 && oneIn(3);
  return {
    // A note without a body could not be repeated after a lost answer, so a rehearsal has none.
    body: `${index + 1}. ${dice.pick(bodies)}`,
    ...(scanned && {
      document_paths: ['letter', 'envelope'].map((name) => ({
        document_path: `notes/${account}/${index + 1}-${name}.pdf`,
      })),
    }),
    ...(!(index === 1 && oneIn(5)) && { created_at: datetimeText(day, second) }),
    ...(pinned && { is_pinned: true, unpin_at: datetimeText(day + dice.between(1, 30), second) }),
    ...(index === 1 && { is_pinned: false }),
  };
}
