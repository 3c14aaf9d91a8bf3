/** A date in a name, which the next night's export has otherwise: 20261129, 2026-11-29, with or without a time. Other digits tell exports apart. */
const date = /(?:19|20)\d{2}[-_.]?\d{2}(?:[-_.]?\d{2})?(?:[-_T]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2})?)?(?!\d)/g;

/** The name of an export without dates: those of two nights are the same. */
export function undatedName(path: string): string {
  return path.replaceAll(date, '#');
}
