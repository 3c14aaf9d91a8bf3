import type { IsDead, LeaseOwner } from '../journal.ts';

/**
 * Judges these owners now, so that no lock is held while the system is asked. Returns whether one of them is certainly gone; an owner who
 * was not among them is not.
 */
export async function judged(
  owners: readonly LeaseOwner[],
  isDead: IsDead,
): Promise<(owner: LeaseOwner) => boolean> {
  await isDead.ask?.(owners);
  const gone = new Set(owners.filter((owner) => isDead(owner)).map(nameOf));
  return (owner) => gone.has(nameOf(owner));
}

function nameOf({ host, pid, processStart }: LeaseOwner): string {
  return JSON.stringify([host, pid, processStart]);
}
