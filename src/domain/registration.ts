import type { AccountKey } from './account-key.ts';

/** The step of an account's registration, in the journal and in commands; it is never part of a run. */
export const registration = 'registration';

/** The status of a meter point whose registration nobody has begun. */
export const unregistered = 'PRE_REGISTRATION';

/** What an account is called among the items of the step. */
export function registrationItem({ supplier, account }: AccountKey): string {
  return `${supplier}/${account}`;
}
