import { closest, distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely means; undefined if none is near, or all differ in more than `mostSlips` letters. */
export function nearest(word: string, known: Iterable<string>, mostSlips = Infinity): string | undefined {
  const names = [...known];
  if (names.length === 0) return undefined;
  const best = closest(
    word.toLowerCase(),
    names.map((name) => name.toLowerCase()),
  );
  const name = names.find((candidate) => candidate.toLowerCase() === best);
  if (name === undefined) return undefined;
  // Allows two slips, or a third of a long name; at least half of a short name must match.
  const slips = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2), mostSlips);
  return distance(word.toLowerCase(), best) <= slips ? name : undefined;
}

/** The name that is meant: the identical one, otherwise the only one that differs just in case or in the form of its accents. */
export function spelledAs(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const folded = foldedName(name);
  const [found, ...others] = names.filter((candidate) => foldedName(candidate) === folded);
  return others.length === 0 ? found : undefined;
}

/** Letters may be composed or decomposed. */
function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A question for the name that is meant, and what makes it another one if that is not seen. */
export function meantRemedy(word: string, meant: string, quote = ''): string {
  const question = `Did you mean ${quote}${meant}${quote}?`;
  const [wanted, there] = [seenOf(word), seenOf(meant)];
  const isOtherCase = word !== meant && foldedName(word) === foldedName(meant) && word.normalize('NFC') !== meant.normalize('NFC'); // prettier-ignore
  if (word === meant || wanted !== there || isOtherCase) return question;
  const differs = (one: string, other: string): string[] =>
    Array.from(one).filter(
      (character) => !other.includes(character) && seenOf(character) !== character.toLowerCase(),
    );
  const [extra] = [...differs(meant, word), ...differs(word, meant)];
  const what = extra === undefined ? 'blanks or characters that are not seen' : codeOf(extra);
  return `${question} It looks the same, and differs in ${what}. Copy the name from the file.`;
}

/** What a reader sees of a name. */
function seenOf(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}]+/gu, '')
    .toLowerCase();
}

function codeOf(character: string): string {
  if (character === ' ') return 'a blank';
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The remedy for an unknown name. */
export function remedyFor(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `Known here: ${known.join(', ')}.` : meantRemedy(name, near);
}
