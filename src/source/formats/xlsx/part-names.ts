import type { ZipParts } from '../../zip-file.ts';

/**
 * The part with this name as the file spells it; the name itself if there is none. Names of parts are compared without
 * regard to case (ECMA-376, part 2, 6.2.2), and a reference may escape characters as an address does.
 */
export function partNamed({ all }: ZipParts, name: string): string {
  if (all.has(name)) return name;
  const wanted = comparable(name);
  for (const found of all.keys()) if (comparable(found) === wanted) return found;
  return name;
}

function comparable(name: string): string {
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch {
    // A percent sign may stand for itself.
  }
  return plain.normalize('NFC').toLowerCase();
}
