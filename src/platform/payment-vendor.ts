/** The payment vendor's answers about an instruction. */
export type VendorTrouble = 'unknown' | 'persistent' | 'intermittent' | undefined;

/**
 * The simulated payment vendor: it knows every reference, save that the beginning of one can ask for trouble.
 * `INTERMITTENT-` fails the first time only.
 */
export function paymentVendor(reference: string, failedOnce: Set<string>): VendorTrouble {
  if (reference.startsWith('UNKNOWN-')) return 'unknown';
  if (reference.startsWith('PERSISTENT-')) return 'persistent';
  if (!reference.startsWith('INTERMITTENT-') || failedOnce.has(reference)) return undefined;
  failedOnce.add(reference);
  return 'intermittent';
}
