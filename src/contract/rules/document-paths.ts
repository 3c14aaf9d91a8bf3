import type { NotesPayload } from '../schemas/notes.ts';
import type { StatementsPayload } from '../schemas/statements.ts';
import type { DocumentState, Rule } from './rule.ts';

/** A document path and where it stands in the payload. */
type DocumentPath = readonly [at: string, path: string];

const faults: Readonly<Record<Exclude<DocumentState, 'there'>, string>> = {
  missing: 'There is no document at this path. Add it, or correct the path.',
  empty: 'The document at this path is empty. Copy it again.',
  'no file': 'There is a directory at this path. Name the document in it.',
};

function documentRules<Payload>(pathsOf: (payload: Payload) => Iterable<DocumentPath>): Rule<Payload>[] {
  return [
    {
      code: 'document_path_escapes',
      check(payload, report, { documents }) {
        if (documents === undefined) return;
        for (const [at, path] of pathsOf(payload))
          if (escapes(path))
            report(
              at,
              "The path leads out of the supplier's root location, or has backslashes. Write it from there, with slashes.",
            );
      },
    },
    {
      code: 'path_does_not_exist_in_file_store',
      check(payload, report, { documents }) {
        if (documents === undefined) return;
        for (const [at, path] of pathsOf(payload)) {
          const state = escapes(path) ? 'there' : documents(path);
          if (state !== 'there') report(at, faults[state]);
        }
      },
    },
  ];
}

/** Absolute (on any system), upwards, or of another system's kind. */
function escapes(path: string): boolean {
  return /^\/|^[A-Za-z]:|[\\\0]/.test(path) || path.split('/').includes('..');
}

export const noteDocumentRules = documentRules<NotesPayload>(function* ({ notes }) {
  for (const [index, { document_paths: paths = [] }] of notes.entries())
    for (const [position, { document_path: path }] of paths.entries())
      yield [`notes.${index}.document_paths.${position}.document_path`, path];
});

export const statementDocumentRules = documentRules<StatementsPayload>(function* ({ statements }) {
  for (const [index, { statement_path: path }] of statements.entries())
    if (path !== undefined) yield [`statements.${index}.statement_path`, path];
});
