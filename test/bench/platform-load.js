// Sends POSTs as fast as they are answered, and says how many were answered per second.
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';

const inFlight = 32;

/**
 * Sends every body once, 32 at a time. Gives answers per second; throws where a status is not the expected one.
 * @param {string} url scheme, host and port
 * @param {string} path
 * @param {string} authorization
 * @param {string[]} bodies
 * @param {number[]} expected
 */
export async function answersPerSecond(url, path, authorization, bodies, expected) {
  const pool = new Pool(url, { connections: inFlight });
  const headers = { 'content-type': 'application/json', authorization };
  let next = 0;
  const sender = async () => {
    for (let at = next++; at < bodies.length; at = next++) {
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: bodies[at] });
      const text = await body.text();
      if (!expected.includes(statusCode)) throw new Error(`${path} answered ${statusCode}: ${text}`);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, sender));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return bodies.length / seconds;
}
