/** Why a tenancy's contract cannot be used; the message names the place in it and the remedy. */
export class ContractRefused extends Error {
  override readonly name = 'ContractRefused';
}
