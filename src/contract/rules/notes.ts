import type { NotesPayload } from '../schemas/notes.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

const hasContent: Rule<NotesPayload> = {
  code: 'note_body_or_document_path_not_found',
  check({ notes }, report) {
    each(notes, ({ body, document_paths = [] }, index) => {
      if (body === undefined && document_paths.length === 0)
        report(`notes.${index}.body`, 'A note needs a body or document paths.');
    });
  },
};

/** Both are UTC in one fixed form, so comparing the texts compares the times. */
const unpinnedLater: Rule<NotesPayload> = {
  code: 'note_unpin_at_earlier_than_creation_date',
  check({ notes }, report) {
    each(notes, ({ created_at, unpin_at }, index) => {
      if (created_at !== undefined && unpin_at !== undefined && unpin_at < created_at)
        report(`notes.${index}.unpin_at`, `${unpin_at} is before the note's creation, ${created_at}.`);
    });
  },
};

export const noteRules = [hasContent, unpinnedLater];
