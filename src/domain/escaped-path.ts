/** What a path of Windows becomes in double quotes of YAML: the backslash before t or n is part of an escape. */
const escaped = /^[a-z]:[^/]*\p{Cc}/iu;

/** Whether a text is a path of Windows in which YAML took a backslash for an escape. */
export function isEscapedPath(text: string): boolean {
  return escaped.test(text);
}

/** The remedy; follows a colon. */
export const escapedPathRemedy =
  'in double quotes, YAML takes a backslash for the beginning of an escape, such as \\t or \\n. Write what has backslashes, such as a path of Windows, without quotes, or in single ones';
