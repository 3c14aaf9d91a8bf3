// Sends what was recorded of a run once more, with undici and nothing else: the fastest that its requests can be.
//   node replay.js URL FILE IN-FLIGHT
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';

const [url, file, inFlight] = process.argv.slice(2);
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [path, body] = JSON.parse(line);
    return { method: 'POST', path, body: Buffer.from(body) };
  });
const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  authorization: 'Token bench',
};
const pool = new Pool(url, { connections: Number(inFlight) });
let next = 0;
async function sender() {
  for (let at = next++; at < requests.length; at = next++) {
    const { statusCode, body } = await pool.request({ ...requests[at], headers });
    await body.text();
    if (statusCode >= 300) throw new Error(`${requests[at].path} answered ${statusCode}`);
  }
}
const cpu = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: Number(inFlight) }, sender));
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
await pool.close();
console.log(JSON.stringify({ seconds, sent: requests.length, sendingCpuSeconds: (user + system) / 1e6 }));
