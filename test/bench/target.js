// The target: a bare node:http server that reads a body and answers by its path, and nothing more, so that whoever sends
// is what is measured. Its parent asks it for counts, for its processor time, and to write down what comes.
import { Buffer } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { notesEach, transactionsEach } from './book.js';

const prefix = '/v1/data-import';
const added = Array(transactionsEach).fill({ status: 'TRANSACTION_ADDED_TO_ACCOUNT' });
const created = Array(notesEach).fill({ status: 'NOTE_CREATION_SUCCESS' });
/** Stands for the account in answers that have to name it. */
const ours = '#';
const answers = {
  [`${prefix}/validate-account/`]: [200, {}],
  [`${prefix}/account-import-process/create-or-update/`]: [201, { external_account_number: ours }],
  [`${prefix}/account-import-process/process/`]: [201, { kraken_account_number: `A-${ours}` }],
  [`${prefix}/notes/create/`]: [201, created],
  [`${prefix}/transactions/create/`]: [201, { results: added }],
  [`${prefix}/historical-agreements/create/`]: [201, {}],
  [`${prefix}/historical-billing-documents/create/`]: [201, {}],
  [`${prefix}/historical-statements/create/`]: [201, {}],
  [`${prefix}/payment-instruction/create/`]: [201, {}],
};
const table = new Map(
  Object.entries(answers).map(([path, [status, value]]) => {
    const text = JSON.stringify(value);
    return [path, { status, text, isNamed: text.includes(ours), fixed: written(text), count: 0 }];
  }),
);

function written(text) {
  const body = Buffer.from(text);
  return { body, headers: { 'content-type': 'application/json', 'content-length': body.length } };
}

/** The account that a body names. */
function accountIn(body) {
  const name = '"external_account_number":"';
  const from = body.indexOf(name) + name.length;
  return body.slice(from, body.indexOf('"', from));
}

let record;
let waitMs = 0;
/** Requests under way, and the most; requests in tenths of a second, from which the busiest second is found. */
let underWay = 0;
let inFlight = 0;
let tenths = new Map();

function comes() {
  underWay += 1;
  inFlight = Math.max(inFlight, underWay);
  const tenth = Math.floor(performance.now() / 100);
  tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
}

function busiestSecond() {
  let most = 0;
  for (const tenth of tenths.keys()) {
    let sum = 0;
    for (let at = tenth; at < tenth + 10; at += 1) sum += tenths.get(at) ?? 0;
    most = Math.max(most, sum);
  }
  return most;
}

const server = createServer((request, response) => {
  const [path] = request.url.split('?');
  const answer = table.get(path);
  if (answer === undefined) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  answer.count += 1;
  comes();
  const chunks = [];
  const isRead = record !== undefined || answer.isNamed;
  request.on('data', (chunk) => isRead && chunks.push(chunk));
  request.on('end', () => {
    const sent = isRead ? Buffer.concat(chunks).toString() : '';
    record?.write(`${JSON.stringify([request.url, sent])}\n`);
    const { headers, body } = answer.isNamed
      ? written(answer.text.replace(ours, accountIn(sent)))
      : answer.fixed;
    const send = () => {
      underWay -= 1;
      response.writeHead(answer.status, headers).end(body);
    };
    if (waitMs === 0) send();
    else setTimeout(send, waitMs);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));

const asked = {
  /** Requests since the last time, by the last two parts of their path. */
  counts: () => {
    const counts = {};
    for (const [path, answer] of table) {
      counts[path.slice(prefix.length + 1, -1)] = answer.count;
      answer.count = 0;
    }
    return counts;
  },
  /** The most requests at the same time, and in a second, since the last time. */
  peaks: () => {
    const peaks = { inFlight, perSecond: busiestSecond() };
    inFlight = 0;
    tenths = new Map();
    return peaks;
  },
  cpu: () => process.cpuUsage(),
  record: (file) => {
    record = createWriteStream(file);
  },
  recorded: () => {
    const written = new Promise((resolve) => record.end(resolve));
    record = undefined;
    return written;
  },
  wait: (ms) => {
    waitMs = ms;
  },
};
process.on('message', async ([what, value]) => process.send({ answer: (await asked[what](value)) ?? null }));
