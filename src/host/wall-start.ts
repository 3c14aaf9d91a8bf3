const prefix = 'at/';

/**
 * How much later than its own first look at the clock a process may have been created, in ms, if the clock was set between the two. Without
 * that, it is created earlier.
 */
const toleranceMs = 300_000;

/** Identifies this process where no start can be read: a time at which it ran, by the wall clock. */
export function wallStart(): string {
  return `${prefix}${Math.ceil(performance.timeOrigin)}`;
}

/** Whether a start is of this form, or of a version that recorded none. */
export function isWallStart(start: string): boolean {
  return start === '' || start.startsWith(prefix);
}

/** Whether a start has a time with which the creation of a process can be compared. */
export function hasTime(start: string): boolean {
  return start.startsWith(prefix);
}

/** Whether a process that was created then, in ms since the epoch, certainly came after the one that started so. */
export function isLater(created: number, start: string): boolean {
  return hasTime(start) && created > Number(start.slice(prefix.length)) + toleranceMs;
}
