import { closest, distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely means; undefined if none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  if (names.length === 0) return undefined;
  const best = closest(
    word.toLowerCase(),
    names.map((name) => name.toLowerCase()),
  );
  const name = names.find((candidate) => candidate.toLowerCase() === best);
  if (name === undefined) return undefined;
  // Allows two slips, or a third of a long name; at least half of a short name must match.
  const slips = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2));
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

/** The remedy for an unknown name. */
export function remedyFor(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${near}?`;
}
