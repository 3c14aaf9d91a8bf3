import { closest, distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely meant, or undefined where none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  if (names.length === 0) return undefined;
  const best = closest(
    word.toLowerCase(),
    names.map((name) => name.toLowerCase()),
  );
  const name = names.find((candidate) => candidate.toLowerCase() === best);
  if (name === undefined) return undefined;
  // Two slips, or a third of a long name; and at least half of a short one has to be right.
  const slips = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2));
  return distance(word.toLowerCase(), best) <= slips ? name : undefined;
}
