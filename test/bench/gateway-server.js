// nginx and HAProxy with limits, before the embedded platform, on the loopback interface. Their programs are those of
// Debian's packages.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './postgres-server.js';
import { migrate } from './processes.js';

/** Suppliers that accept accounts: one for each run. */
export const supplierOf = (at) => `SUPPLIER_${at}`;
const suppliersOf = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [supplierOf(at + 1), { status: 'Ongoing' }]));

const path = { PATH: `${process.env.PATH}:/usr/sbin` };

/** Whether the gateway's program is installed. */
export function hasGateway(kind) {
  return spawnSync(kind, ['-v'], { env: path }).error === undefined;
}

/** `migrate serve`, whose answers take so many ms. `rules`: further faults. */
export async function startServe(directory, ms, rules = []) {
  mkdirSync(directory, { recursive: true });
  const operator = join(directory, 'operator.json');
  const latency = ms > 0 ? [{ kind: 'latency', ms }] : [];
  writeFileSync(
    operator,
    JSON.stringify({ suppliers: suppliersOf(4), faults: { rules: [...rules, ...latency] } }),
  );
  const child = spawn(process.execPath, [migrate, 'serve', '--json', '--quiet', '--operator', operator], {
    cwd: directory,
    env: { ...path, HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  child.stdout.resume();
  const { url, apiKey } = JSON.parse(line.split('\n', 1)[0]);
  return { port: Number(new URL(url).port), apiKey, stop: () => stopped(child) };
}

/**
 * Starts a gateway before the platform on this port. `limit`: what it is told about its limit (see `nginx` and `haproxy`).
 * `log()` gives its requests: when each came (s), its status, the step, whether it was let through, how long it took (s).
 */
export async function startGateway(directory, kind, target, limit) {
  mkdirSync(directory, { recursive: true });
  const [port, file] = [await freePort(), join(directory, `${kind}.conf`)];
  const write = (now) => writeFileSync(file, configurations[kind](directory, port, target, now));
  write(limit);
  const args =
    kind === 'nginx'
      ? ['-e', join(directory, 'error.log'), '-p', directory, '-c', file]
      : ['-db', '-f', file];
  const log = openSync(join(directory, 'requests.log'), 'a');
  const child = spawn(kind, args, {
    env: path,
    stdio: ['ignore', kind === 'haproxy' ? log : 'ignore', 'inherit'],
  });
  await listens(port, child);
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => requestsOf(readFileSync(join(directory, 'requests.log'), 'utf8')),
    /** nginx: goes on with another limit. */
    change: (next) => {
      write(next);
      child.kill('SIGHUP');
    },
    stop: () => stopped(child),
  };
}

const configurations = { nginx, haproxy };

/**
 * `perSecond` and `burst` of a rate, or of one for each endpoint (`each`); `places` of concurrent requests; `status` (429
 * or 503, with a page); `retryAfter` (s); `timeoutMs`: an answer is waited for so long.
 */
function nginx(directory, port, target, limit) {
  const {
    perSecond,
    burst = 0,
    each,
    places,
    status = 429,
    retryAfter,
    timeoutMs = 60_000,
    headers = '',
  } = limit;
  const zones = each === undefined ? { all: perSecond } : each;
  const rates = Object.entries(zones).filter(([, rate]) => rate !== undefined);
  const proxy = `proxy_pass http://platform; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout ${timeoutMs}ms;`;
  const limits = (zone) =>
    zones[zone] === undefined ? '' : `limit_req zone=${zone} burst=${burst} nodelay;`;
  const conn = places === undefined ? '' : `limit_conn places ${places};`;
  const locations = Object.keys(zones)
    .filter((zone) => zone !== 'all')
    .map((zone) => `location ~ ${zone} { ${proxy} ${limits(zone)} ${conn} }`);
  return `daemon off; worker_processes 1; pid ${directory}/pid; error_log ${directory}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 2048; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  client_max_body_size 16m; client_body_buffer_size 1m; keepalive_requests 1000000;
  log_format requests '$msec $status $request_time $limit_req_status $limit_conn_status $uri';
  access_log ${directory}/requests.log requests;
  ${rates.map(([zone, rate]) => `limit_req_zone $server_name zone=${zone}:1m rate=${rate}r/s;`).join('\n  ')}
  limit_conn_zone $server_name zone=places:1m;
  limit_req_status ${status}; limit_conn_status ${status};
  upstream platform { server 127.0.0.1:${target}; keepalive 256; }
  server {
    listen 127.0.0.1:${port}; server_name gateway;
    ${headers}
    ${retryAfter === undefined ? '' : `error_page ${status} @refused; location @refused { internal; add_header Retry-After ${retryAfter} always; return ${status}; }`}
    ${locations.join('\n    ')}
    location / { ${proxy} ${limits('all')} ${conn} }
  }
}
`;
}

/** `perSecond` in any second, or `places` of concurrent requests beyond which others wait. */
function haproxy(_directory, port, target, { perSecond, places, status = 429 }) {
  const rate =
    perSecond === undefined
      ? ''
      : `stick-table type string size 10 expire 1h store http_req_rate(1s)
  http-request track-sc0 str(all)
  http-request deny deny_status ${status} if { sc_http_req_rate(0) gt ${perSecond} }`;
  return `global
  log stdout format raw local0
defaults
  mode http
  timeout connect 5s
  timeout client 300s
  timeout server 300s
  timeout queue 60s
frontend gateway
  bind 127.0.0.1:${port}
  log global
  log-format "%Ts.%ms %ST %Tr %tsc - %HP"
  ${rate}
  default_backend platform
backend platform
  server one 127.0.0.1:${target}${places === undefined ? '' : ` maxconn ${places}`}
`;
}

function requestsOf(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([at, status]) => Number(at) > 0 && Number(status) > 0)
    .map(([at, status, took, requests, connections = '-', uri = '']) => ({
      at: Number(at),
      status: Number(status),
      took: Number(took),
      isRefused: requests === 'REJECTED' || connections === 'REJECTED' || /^PR/.test(requests),
      uri,
    }));
}

async function listens(port, child) {
  for (;;) {
    if (child.exitCode !== null) throw new Error('The gateway did not start.');
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race(
      ['connect', 'error'].map(async (name) => {
        await once(socket, name).catch(() => undefined);
        return [name];
      }),
    );
    socket.destroy();
    if (event === 'connect') return;
    await setTimeout(20);
  }
}

async function stopped(child) {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
