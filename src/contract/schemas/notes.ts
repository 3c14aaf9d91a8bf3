import { z } from 'zod';
import { identification } from './account.ts';
import { boolean, datetime, text } from './fields.ts';

/** Note object (section 2.7). A separate rule checks that it has a body or document paths. */
export const note = z.strictObject({
  body: text().optional(),
  document_paths: z.array(z.strictObject({ document_path: text() })).optional(),
  created_at: datetime.optional(),
  is_pinned: boolean.optional(),
  unpin_at: datetime.optional(),
});

/** Request of endpoint 8 (section 4). */
export const notesPayload = z.strictObject({ ...identification, notes: z.array(note) });

export type NotesPayload = z.infer<typeof notesPayload>;

export const noteStatuses = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] as const;

/** Answer to endpoint 8 (section 4). */
export const notesAnswer = z.array(
  z.looseObject({ status: z.string(), body: z.string().nullish(), created_at: z.string().nullish() }),
);
