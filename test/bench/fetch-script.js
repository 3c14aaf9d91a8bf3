// The script that a user would write: global fetch with p-limit, the three steps of one account after the other, no record.
//   node fetch-script.js URL ACCOUNTS-NDJSON IN-FLIGHT
import { createReadStream } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import pLimit from 'p-limit';

const [url, file, inFlight] = process.argv.slice(2);
const limit = pLimit(Number(inFlight));
const steps = [
  'validate-account',
  'account-import-process/create-or-update',
  'account-import-process/process',
];
const started = performance.now();
const jobs = [];
for await (const line of createInterface({ input: createReadStream(file) }))
  jobs.push(limit(() => drive(line)));
await Promise.all(jobs);
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000, accounts: jobs.length }));

async function drive(payload) {
  const { import_supplier, external_account_number } = JSON.parse(payload);
  const order = {
    import_supplier_code: import_supplier,
    external_account_number,
    operations_team_name: 'MIGRATIONS',
  };
  for (const step of steps) {
    const answer = await fetch(`${url}/v1/data-import/${step}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Token bench' },
      body: step.endsWith('process') ? JSON.stringify(order) : payload,
    });
    if (!answer.ok) throw new Error(`${step} answered ${answer.status}`);
    await answer.json();
  }
}
