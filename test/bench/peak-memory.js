import { readFileSync } from 'node:fs';

/**
 * The most memory of this process, in MB. Linux counts what its parent had at its start in `maxRSS`, and leaves it out of this
 * figure.
 */
export function peakMemory() {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(kibibytes) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
