/** The formats of countries whose postcodes have one, compared in capitals without spaces and dashes. */
const shapes: ReadonlyMap<string, RegExp> = new Map([
  ['AU', /^\d{4}$/],
  ['DE', /^\d{5}$/],
  ['ES', /^\d{5}$/],
  ['FR', /^\d{5}$/],
  // Also the territories with ASCN 1ZZ, and the giro bank's GIR 0AA.
  ['GB', /^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|[A-Z]{4}1ZZ|GIR0AA)$/],
  ['IT', /^\d{5}$/],
  ['JP', /^\d{7}$/],
  ['NZ', /^\d{4}$/],
  ['US', /^\d{5}(?:\d{4})?$/],
]);

/**
 * Groups of letters or digits of any script, separated by spaces or dashes, at most 16 characters: valid for any
 * country.
 */
const plausible = /^(?=.{1,16}$)[\p{L}\p{N}]+(?:[ \p{Pd}−]+[\p{L}\p{N}]+)*$/u;

/** Whether the text can be a postcode of the country (two letters, in either case). */
export function isPostcode(text: string, country: string): boolean {
  // Compatibility forms: Japanese exports hold full-width digits and a postal mark.
  const plain = text.normalize('NFKC').replace('〒', '').trim();
  if (!plausible.test(plain)) return false;
  const shape = shapes.get(country.toUpperCase());
  return shape === undefined || shape.test(plain.replace(/[ \p{Pd}−]/gu, '').toUpperCase());
}
