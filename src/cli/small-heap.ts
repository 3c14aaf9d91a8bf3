import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heaps of this process grow by half between two collections in place of doubling: a run makes garbage at such a
 * rate that most of its memory would be that. Peak on `run`, 6,000 accounts with all steps: TODO. With a fifth it is no less, and
 * marking takes twice the time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
