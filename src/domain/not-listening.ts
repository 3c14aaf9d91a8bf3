import { hostShortage } from './host-shortage.ts';

/**
 * Why this process cannot listen on a port, with the remedy; follows `cannot listen on port 80: `. Throws an error that is none of the
 * system's as it is.
 */
export function whyNotListening(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error;
  switch (error.code) {
    case 'EADDRINUSE':
      return 'another program listens there. Name another port, or 0 for a free one.';
    case 'EACCES':
      return 'this user may not listen there. Name a port above 1023, or 0 for a free one.';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the address is none of this machine (${error.code}). Name one that it has.`;
    default:
      return hostShortage(error) ?? `the system reports ${String(error.code)}. Name another port or address.`;
  }
}
