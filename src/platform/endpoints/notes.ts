import { notesAnswer } from '../../contract/answers.ts';
import type { NotesPayload } from '../../contract/schemas/notes.ts';
import { platformDatetime } from '../platform-context.ts';
import { accountNotFound } from '../refusals.ts';
import { answer } from '../reply.ts';
import type { ServedEndpoint } from './endpoint.ts';

/** Endpoint 8: a note is created only if the account has none like it (section 4, rule 5). */
export const notes: ServedEndpoint = {
  description: {
    summary: 'Add notes to an account',
    answer: { NoteResults: notesAnswer },
    statuses: ['404'],
  },
  step: 'notes',
  answer({ key, body }, context) {
    const { store } = context;
    const account = store.findAccount(key)?.number;
    if (typeof account !== 'number') return accountNotFound;
    const now = platformDatetime(context);
    const results = ((body as Partial<NotesPayload>).notes ?? []).map((note) => {
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
