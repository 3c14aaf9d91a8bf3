import { isAlias, isMap, isScalar, LineCounter, parseDocument, type Document, type YAMLError } from 'yaml';
import { escapedPathRemedy } from '../domain/escaped-path.ts';
import type { ConfigProblems } from './problem.ts';

/** A configuration file as it was written. */
export interface ConfigFile {
  /** Absolute path. */
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `FILE:LINE` of the key that a path leads to, or of the nearest one above it. */
  where(path: readonly PropertyKey[]): string;
}

/** The settings in a file's text, YAML or JSON, with their lines; or the reason why it cannot be read. */
export function parseConfigFile(file: string, text: string): ConfigFile | ConfigProblems {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const exactPlace = (offset: number): string => `${place(offset)}:${lines.linePos(offset).col}`;
  const [fault] = document.errors;
  if (fault !== undefined)
    return { problems: [{ where: exactPlace(fault.pos[0]), detail: `not valid YAML: ${remedyFor(fault)}` }] };

  const values = plainValues(document);
  if (typeof values === 'string') return { problems: [{ where: file, detail: values }] };
  return {
    file,
    values,
    where: (path) => {
      const offset = keyOffset(document, path);
      return offset === undefined ? file : place(offset);
    },
  };
}

/** The document's content, or the reason why it is not a configuration. */
function plainValues(document: Document): Record<string, unknown> | string {
  if (document.contents === null) return {};
  if (!isMap(document.contents)) return 'must be a list of `key: value` lines, or a JSON object.';
  try {
    return document.toJS() as Record<string, unknown>;
  } catch {
    return 'not valid YAML: an alias (*) names an anchor (&) that does not exist, or there are too many.';
  }
}

/** The library's own message quotes the file, which may contain a misplaced secret. */
function remedyFor(fault: YAMLError): string {
  if (fault.code === 'TAB_AS_INDENT') return 'indent with spaces, not with tabs.';
  if (fault.code === 'DUPLICATE_KEY') return 'this key occurs twice; keep one.';
  if (fault.code === 'MULTIPLE_DOCS') return 'keep one document, without a second --- line.';
  if (fault.code === 'MISSING_CHAR') return 'a quote, bracket or brace is not closed before this line.';
  if (fault.code === 'BAD_DQ_ESCAPE') return `${escapedPathRemedy}.`;
  return 'check the indentation here and on the next line, the space after each colon, that every bracket is closed, and the quotes around values that hold a colon.';
}

function keyOffset(document: Document, path: readonly PropertyKey[]): number | undefined {
  let offset: number | undefined;
  let node: unknown = document.contents;
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
    if (pair === undefined || !isScalar(pair.key)) break;
    offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
}
