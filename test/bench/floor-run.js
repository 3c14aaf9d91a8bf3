// The floor: the least program that reads an export and drives its accounts without ever sending what it has not
// recorded. It maps nothing, checks nothing, and gives up at the first thing that goes wrong.
//   node floor-run.js URL BOOK creation|all FULL|NORMAL IN-FLIGHT
import { Buffer } from 'node:buffer';
import { fdatasync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { floorSteps } from './floor-steps.js';

const [url, book, which, synchronous, inFlight] = process.argv.slice(2);
const steps = floorSteps[which];
const headers = [
  'accept',
  'application/json',
  'content-type',
  'application/json',
  'authorization',
  'Token bench',
];

const db = new Database('floor.db');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec(`
  CREATE TABLE account (id INTEGER PRIMARY KEY, number TEXT UNIQUE, state INTEGER);
  CREATE TABLE part (account INTEGER, step INTEGER, state INTEGER, print TEXT, sent INTEGER, took INTEGER,
    PRIMARY KEY (account, step)) WITHOUT ROWID`);
const addAccount = db.prepare('INSERT INTO account (number, state) VALUES (?, 0)');
const finishAccount = db.prepare('UPDATE account SET state = 1 WHERE id = ?');
const intend = db.prepare('INSERT INTO part (account, step, state, print, sent) VALUES (?, ?, 0, ?, ?)');
const settle = db.prepare('UPDATE part SET state = 1, took = ? - sent WHERE account = ? AND step = ?');
const log = openSync('floor.db-wal', 'r+');
let gathered = [];
let isCommitting = false;

/** Resolves once the work is durable. */
function write(work) {
  return new Promise((resolve) => {
    gathered.push({ work, resolve });
    if (!isCommitting) commitSoon();
  });
}

function commitSoon() {
  isCommitting = true;
  setImmediate(() => {
    const batch = gathered;
    gathered = [];
    db.transaction(() => batch.forEach((write) => (write.value = write.work())))();
    const durable = () => {
      for (const { resolve, value } of batch) resolve(value);
      isCommitting = false;
      if (gathered.length > 0) commitSoon();
    };
    if (synchronous === 'FULL') fdatasync(log, durable);
    else durable();
  });
}

class Answer {
  #pieces = [];
  #resolve;

  constructor(resolve) {
    this.#resolve = resolve;
  }

  onRequestStart() {}

  onResponseStart(_controller, status) {
    if (status >= 300) throw new Error(`The answer was ${status}.`);
  }

  onResponseData(_controller, piece) {
    this.#pieces.push(piece);
  }

  onResponseEnd() {
    this.#resolve(JSON.parse(Buffer.concat(this.#pieces).toString()));
  }

  onResponseError(_controller, error) {
    throw error;
  }
}

const pool = new Pool(url, { connections: Number(inFlight) });
const post = (path, body) =>
  new Promise((resolve) => pool.dispatch({ method: 'POST', path, headers, body }, new Answer(resolve)));

const files = [...new Set(steps.flatMap(({ file = [] }) => file))];
const reader = new Worker(new URL('floor-reader.js', import.meta.url), { workerData: { book, files } });
const batches = [];
let isWholeRead = false;
let waiting = [];
reader.on('message', (batch) => {
  if (batch === undefined) isWholeRead = true;
  else batches.push({ ...batch, next: 0 });
  const woken = waiting;
  waiting = [];
  for (const wake of woken) wake();
});

async function nextAccount() {
  for (;;) {
    const [batch] = batches;
    if (batch === undefined) {
      if (isWholeRead) return undefined;
      await new Promise((resolve) => waiting.push(resolve));
    } else if (batch.next === batch.accounts.length) {
      batches.shift();
      reader.postMessage('more');
    } else {
      const account = batch.accounts[batch.next];
      batch.next += 1;
      return { ...account, bytes: batch.bytes };
    }
  }
}

async function drive({ number, bodies, bytes }) {
  const bodyOf = ({ file }) => {
    if (file === undefined) return JSON.stringify({ external_account_number: number });
    const { from, to } = bodies[file];
    return Buffer.from(bytes, from, to - from);
  };
  const intendStep = (id, step) => intend.run(id, step, bodies[steps[step].file]?.print ?? '', Date.now());
  const id = await write(() => {
    const { lastInsertRowid } = addAccount.run(number);
    intendStep(lastInsertRowid, 0);
    return lastInsertRowid;
  });
  for (const [at, step] of steps.entries()) {
    await post(step.path, bodyOf(step));
    await write(() => {
      settle.run(Date.now(), id, at);
      if (at + 1 < steps.length) intendStep(id, at + 1);
      else finishAccount.run(id);
    });
  }
}

let driven = 0;
async function lane() {
  for (let account = await nextAccount(); account !== undefined; account = await nextAccount()) {
    await drive(account);
    driven += 1;
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, lane));
await pool.close();
db.close();
console.log(JSON.stringify({ accounts: driven }));
