import { expect, test } from 'vitest';
import { checkPayload, defaultRuleContext } from '../../../src/contract/preflight.ts';
import type { DocumentState } from '../../../src/domain/document-directory.ts';

const whose = { import_supplier: 'S', external_account_number: '1' };

/** What is found where each path holds a document, but for those named after what is there instead. */
function found(paths: readonly string[], lookUp = true): string[] {
  const asked: string[] = [];
  const documents = (path: string): DocumentState => {
    asked.push(path);
    return path === 'missing' || path === 'other spelling' || path === 'empty' || path === 'no file'
      ? path
      : 'there';
  };
  const context = { ...defaultRuleContext('2026-11-21'), ...(lookUp ? { documents } : {}) };
  const notes = { ...whose, notes: [{ document_paths: paths.map((path) => ({ document_path: path })) }] };
  const statements = paths.map((path, at) => ({
    ...{ statement_id: `S${at}`, bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' },
    statement_path: path,
  }));
  const problems = [
    ...checkPayload('notes', notes, context),
    ...checkPayload('statements', { ...whose, statements }, context),
  ];
  expect(asked.every((path) => !path.split('/').includes('..') && !path.startsWith('/'))).toBe(true);
  return problems.map(({ code, path }) => `${code} ${path}`);
}

const places = (code: string, at: number): string[] => [
  `${code} notes.0.document_paths.${at}.document_path`,
  `${code} statements.${at}.statement_path`,
];

test.each(['missing', 'other spelling', 'empty', 'no file'])(
  'a path at which the document is %s is found',
  (state) => {
    expect(found(['a/b.pdf', state])).toEqual(places('path_does_not_exist_in_file_store', 1));
  },
);

test.each(['../a.pdf', 'a/../../b.pdf', '/a.pdf', 'a\\b.pdf', 'C:/a.pdf', '..'])(
  'the path %s escapes, and is not looked up',
  (path) => {
    expect(found([path])).toEqual(places('document_path_escapes', 0));
  },
);

test('dots within names are no way out', () => {
  expect(found(['a..b/c...pdf', './a.pdf', '.hidden'])).toEqual([]);
});

test('without a directory nothing is said of paths', () => {
  expect(found(['missing', '../a.pdf'], false)).toEqual([]);
});
