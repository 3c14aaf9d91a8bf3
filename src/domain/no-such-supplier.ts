/** The most names in a message. */
const mostNamed = 6;

const opening = 'No account of the export has the supplier ';

/** No account of the export has the requested supplier. `there`: the suppliers that it has. */
export function noSuchSupplier(wanted: string | undefined, there: readonly string[]): string {
  const named = there.slice(0, mostNamed).join(', ');
  const others = there.length - mostNamed;
  const more = others > 0 ? ` and ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return `${opening}${wanted}. Its suppliers: ${named}${more}. Correct --supplier, or supplier in the configuration.`;
}

/** Whether the detail of a run's end says so. */
export function saysNoSuchSupplier(detail: string): boolean {
  return detail.startsWith(opening);
}
