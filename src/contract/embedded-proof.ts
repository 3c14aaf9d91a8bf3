import { createHmac, timingSafeEqual } from 'node:crypto';

/** Request header: a text that nobody can foresee. */
export const challengeHeader = 'x-platform-challenge';
/** Answer header: the proofs with each key that the embedded platform accepts, separated by commas. */
export const proofHeader = 'x-platform-proof';

/** What only an embedded platform with this id can answer to a challenge, because it alone knows the key too. */
export function proofOf(key: string, platformId: string, challenge: string): string {
  return createHmac('sha256', key).update(`${platformId} ${challenge}`).digest('base64url');
}

/** Whether one of the proofs was made with one of the keys. */
export function isProven(
  proofs: string,
  keys: readonly string[],
  platformId: string,
  challenge: string,
): boolean {
  const given = proofs.split(',').map((proof) => Buffer.from(proof.trim()));
  return keys
    .map((key) => Buffer.from(proofOf(key, platformId, challenge)))
    .some((own) => given.some((proof) => proof.length === own.length && timingSafeEqual(proof, own)));
}
