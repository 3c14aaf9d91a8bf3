// The thread of the floor that reads: takes one line of each file for an account, parses and serialises it, and
// fingerprints what came of it. It looks at nothing that it reads, and takes the files to be in one order.
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const mostAhead = 4;
const batchSize = 32;
const { book, files } = workerData;

let room = mostAhead;
let roomMade = () => undefined;
parentPort.on('message', () => {
  room += 1;
  roomMade();
});

const tables = files.map((name) => [name, linesOf(join(book, `${name}.ndjson`))]);
let batch = [];
let length = 0;
for (let account = next(); account !== undefined; account = next()) {
  batch.push(account);
  if (batch.length === batchSize) await hand();
}
await hand();
parentPort.postMessage(undefined);
parentPort.close();

function next() {
  const account = { bodies: {} };
  for (const [name, lines] of tables) {
    const { value: line } = lines.next();
    if (line === undefined) return undefined;
    const record = JSON.parse(line);
    const text = JSON.stringify(record);
    account.number ??= record.external_account_number;
    account.bodies[name] = {
      text,
      from: length,
      to: (length += Buffer.byteLength(text)),
      print: hash('sha256', text),
    };
  }
  return account;
}

async function hand() {
  if (batch.length === 0) return;
  while (room === 0) await new Promise((resolve) => (roomMade = resolve));
  room -= 1;
  const bytes = new ArrayBuffer(length);
  const buffer = Buffer.from(bytes);
  for (const { bodies } of batch)
    for (const body of Object.values(bodies)) {
      buffer.write(body.text, body.from);
      delete body.text;
    }
  parentPort.postMessage({ accounts: batch, bytes }, [bytes]);
  batch = [];
  length = 0;
}

function* linesOf(path) {
  const file = openSync(path, 'r');
  let rest = Buffer.alloc(0);
  for (;;) {
    const block = Buffer.allocUnsafe(64 * 1024);
    const read = readSync(file, block);
    if (read === 0) break;
    const bytes = Buffer.concat([rest, block.subarray(0, read)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.toString('utf8', from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  closeSync(file);
}
