const number = /^[+-]?\d+(?:[.,]\d+)*$/;
const date = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:[T ].*)?$/;
const guid = /^\{?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}?$/i;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Whether a text is a number, a date or a GUID, as no name of a key column is. */
function isValue(text: string): boolean {
  const plain = text.trim();
  return number.test(plain) || date.test(plain) || guid.test(plain);
}

/** Whether a text has digits, and the form of another one, such as K-1001 and K-1002. */
function isAlike(text: string, next: string, fewestDigits: number): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= fewestDigits && shapeOf(text.trim()) === shapeOf(next.trim());
}

function shapeOf(text: string): string {
  return text.replaceAll(/\d/g, '9').replaceAll(/\p{L}/gu, 'A');
}

/**
 * Whether a header seems to be the first row of a file without one: the name of the key column is a value, or has the pattern of the
 * number in the next row; or a name is a GUID or an e-mail address. Other columns may be called as years, months or days.
 */
export function headerIsRow(
  names: readonly string[],
  key: string,
  next: readonly string[] | undefined,
): boolean {
  const below = next?.[names.indexOf(key)] ?? '';
  return (
    isValue(key) ||
    isAlike(key, below, 2) ||
    names.some((name) => guid.test(name.trim()) || email.test(name.trim()))
  );
}

/** The same, where the key column is not known: its number is most often the first. */
export function looksHeaderless(names: readonly string[], next: readonly string[] | undefined): boolean {
  const [first = ''] = names;
  if (next === undefined || first === '') return false;
  const like = names.filter((name, at) => isValue(name) || isAlike(name, next[at] ?? '', 1)).length;
  return headerIsRow(names, first, next) || (isAlike(first, next[0] ?? '', 1) && like * 2 >= names.length);
}
