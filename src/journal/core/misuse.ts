/** A call that a correct caller never makes. Thrown before any change, so that it affects no other write. */
export class Misuse extends Error {}
