// An S3-compatible store of a benchmark's own, in a process of its own, on the loopback interface.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bucket = 'bench';

/** Starts it with an empty bucket; `env` is for those who read from it. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'bench-s3-'));
  const server = spawn(process.execPath, [fileURLToPath(import.meta.url), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(server.stdout.setEncoding('utf8'), 'data');
  const url = `http://127.0.0.1:${port.trim()}`;
  return {
    bucket,
    env: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
    async put(key, bytes) {
      const answer = await fetch(`${url}/${bucket}/${key}`, { method: 'PUT', body: bytes });
      if (!answer.ok) throw new Error(`${key} was not put: ${answer.status}`);
    },
    async stop() {
      server.kill();
      await once(server, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { default: S3rver } = await import('s3rver');
  const store = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: process.argv[2] },
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await store.run();
  process.stdout.write(`${port}\n`);
}
