// Loaded before a measured program: leaves word of what it used, all its threads together.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { peakMemory } from './peak-memory.js';

const file = process.env.BENCH_USAGE;
if (isMainThread && file !== undefined) {
  // A child that it starts is measured by itself, or not at all.
  delete process.env.BENCH_USAGE;
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(
      file,
      JSON.stringify({
        cpuSeconds: (user + system) / 1e6,
        mainCpuSeconds: mainThread(),
        peakMb: peakMemory(),
      }),
    );
  });
}

/** Processor time of the main thread alone, where the system tells (Linux, in ticks of 10 ms). */
function mainThread() {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
