import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../../domain/clock.ts';
import type { Boot } from '../../journal/journal.ts';

/** The boot time of this machine, by its current clock; its id is '' if the system gives none. */
export function bootOf(clock: Pick<Clock, 'now'>): Boot {
  return { id: bootId(), at: Math.round(clock.now() - uptime() * 1000) };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
