import { hash } from 'node:crypto';

/** Fingerprint of what is sent: 132 bits of SHA-256, so that a change in the export is noticed. */
export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
