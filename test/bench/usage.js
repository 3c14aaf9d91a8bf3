// Loaded before a measured program: leaves word of what it used, all its threads together.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_USAGE;
if (isMainThread && file !== undefined) {
  // A child that it starts is measured by itself, or not at all.
  delete process.env.BENCH_USAGE;
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const peakMb = process.resourceUsage().maxRSS / 1024;
    writeFileSync(file, JSON.stringify({ cpuSeconds: (user + system) / 1e6, peakMb }));
  });
}
