import type { z } from 'zod';
import type { notesPayload } from '../../contract/schemas/notes.ts';
import { platformDatetime } from '../desk.ts';
import { missingDocuments } from '../document-paths.ts';
import { accountNotFound, invalid } from '../refusals.ts';
import { answer } from '../reply.ts';
import type { PostEndpoint } from './endpoint.ts';

/** Endpoint 8: a note is created only if the account has none like it (section 4, rule 5). */
export const notes: PostEndpoint = {
  step: 'notes',
  answer({ key, body }, desk) {
    const { store } = desk;
    const account = store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const given = (body as z.infer<typeof notesPayload>).notes;
    const missing = missingDocuments(
      desk.operator(),
      key.supplier,
      given.flatMap(({ document_paths = [] }, index) =>
        document_paths.map(({ document_path: path }, position) => ({
          at: `notes.${index}.document_paths.${position}.document_path`,
          path,
        })),
      ),
    );
    if (missing.length > 0) return invalid(missing);
    const now = platformDatetime(desk);
    const results = given.map((note) => {
      const createdAt = note.created_at ?? now;
      const exists = note.body !== undefined && store.hasNote(account, note.body, note.created_at);
      if (!exists)
        store.addNote(
          account,
          note.body,
          createdAt,
          JSON.stringify({ is_pinned: false, ...note, created_at: createdAt }),
        );
      return {
        created_at: createdAt,
        body: note.body ?? null,
        status: exists ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS',
      };
    });
    return answer(201, results);
  },
};
