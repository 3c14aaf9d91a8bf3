import { identification } from './account.ts';
import { boolean, datetime, text } from './fields.ts';
import { array, object, optional, type ValueOf } from './schema.ts';

/** Note object (section 2.7). A separate rule checks that it has a body or document paths. */
export const note = object({
  body: optional(text()),
  document_paths: optional(array(object({ document_path: text() }))),
  created_at: optional(datetime),
  is_pinned: optional(boolean),
  unpin_at: optional(datetime),
});

/** Request of endpoint 8 (section 4). */
export const notesPayload = object({ ...identification, notes: array(note) });

export type NotesPayload = ValueOf<typeof notesPayload>;

export const noteStatuses = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] as const;
