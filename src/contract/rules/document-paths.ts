import type { DocumentState } from '../../domain/document-directory.ts';
import type { NotesPayload } from '../schemas/notes.ts';
import type { StatementsPayload } from '../schemas/statements.ts';
import { each } from './guarded.ts';
import type { Rule } from './rule.ts';

/** Receives each document path of a payload, and its place there. */
type Visit<Payload> = (payload: Payload, take: (at: string, path: string) => void) => void;

const faults: Readonly<Record<Exclude<DocumentState, 'there'>, string>> = {
  missing: 'There is no document at this path. Add it, or correct the path.',
  'other spelling':
    'The document is found here under a name that differs in its capitals, the form of its accents, or a dot or blank at its end. A file store would not find it. Write the path exactly as the document is named.',
  empty: 'The document at this path is empty. Copy it again.',
  'no file': 'There is a directory at this path. Name the document in it.',
};

function documentRules<Payload>(visit: Visit<Payload>): Rule<Payload>[] {
  return [
    {
      code: 'document_path_escapes',
      check(payload, report, { documents }) {
        if (documents === undefined) return;
        visit(payload, (at, path) => {
          if (escapes(path))
            report(
              at,
              "The path points outside the supplier's root location, or contains backslashes. Write it relative to that location, with slashes.",
            );
        });
      },
    },
    {
      code: 'path_does_not_exist_in_file_store',
      check(payload, report, { documents }) {
        if (documents === undefined) return;
        visit(payload, (at, path) => {
          const state = escapes(path) ? 'there' : documents(path);
          if (state !== 'there') report(at, faults[state]);
        });
      },
    },
  ];
}

/** Absolute (on any system), upward, or in another system's notation. */
function escapes(path: string): boolean {
  return /^\/|^[A-Za-z]:|[\\\0]/.test(path) || path.split('/').includes('..');
}

export const noteDocumentRules = documentRules<NotesPayload>(({ notes }, take) =>
  each(notes, ({ document_paths: paths }, index) =>
    each(paths, ({ document_path: path }, position) =>
      take(`notes.${index}.document_paths.${position}.document_path`, path),
    ),
  ),
);

export const statementDocumentRules = documentRules<StatementsPayload>(({ statements }, take) =>
  each(statements, ({ statement_path: path }, index) => {
    if (path !== undefined) take(`statements.${index}.statement_path`, path);
  }),
);
