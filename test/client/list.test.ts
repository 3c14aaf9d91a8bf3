import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { ImportProcessRecord } from '../../src/contract/answers.ts';
import type { PlatformClient } from '../../src/client/platform-client.ts';
import { clientOf, notingPlatform, platform, sendJson } from './loopback.ts';

const supplier = 'TENTACLE_ENERGY';

function recordOf(number: number) {
  return {
    external_account_number: `old-${number}`,
    kraken_account_number: `A-${number}`,
    account_created_at: '2026-03-01T12:00:00Z',
  };
}

async function listed(
  client: PlatformClient,
  endpoint: 'allProcesses' | 'pendingProcesses' = 'allProcesses',
) {
  const records: ImportProcessRecord[] = [];
  const answer = await client.list(endpoint, supplier, (record) => records.push(record));
  return { answer, records };
}

/** What a list is taken for when the platform answers with these bytes and this status. */
async function listOf(body: string, status = 200) {
  const url = await platform((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  );
  return listed(clientOf(url));
}

/** Bytes of the heap that are in use once everything that can go is gone. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

describe('a list', () => {
  it('gives every record, pending ones without a number', async () => {
    const pending = {
      external_account_number: 'old-1',
      kraken_account_number: null,
      account_created_at: null,
    };
    const { url, seen } = await notingPlatform((response) => sendJson(response, 200, [pending, recordOf(2)]));
    const { answer, records } = await listed(clientOf(url), 'pendingProcesses');
    expect(answer).toEqual({ kind: 'ok', status: 200, body: undefined });
    expect(records).toEqual([pending, recordOf(2)]);
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: `/v1/data-import/pending-account-import-processes/${supplier}/`,
      headers: { authorization: 'Token secret-token' },
      body: '',
    });
    expect(seen[0]?.headers['content-type']).toBeUndefined();
  });

  it('may be empty', async () => {
    expect(await listOf('[]')).toEqual({ answer: { kind: 'ok', status: 200, body: undefined }, records: [] });
  });

  it('of 100,000 records passes through without being gathered', async () => {
    const [batches, perBatch] = [100, 1000];
    let [given, misplaced] = [0, 0];
    let progress: () => void = () => undefined;
    // Each batch leaves when the one before it has been taken: a client that waited for the end would wait for ever.
    const url = await platform((_request, response) => {
      void (async () => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('[');
        for (let batch = 0; batch < batches; batch++) {
          const numbers = Array.from({ length: perBatch }, (_, index) => batch * perBatch + index);
          const text = numbers.map((number) => JSON.stringify(recordOf(number))).join(',');
          const taken = new Promise<void>((resolve) => (progress = resolve));
          if (!response.write((batch === 0 ? '' : ',') + text)) await once(response, 'drain');
          await taken;
        }
        response.end(']');
      })();
    });
    let start = 0;
    let growth = 0;
    const answer = await clientOf(url).list('allProcesses', supplier, (record) => {
      if (record.external_account_number !== `old-${given}`) misplaced++;
      given++;
      if (given === perBatch) start = heapInUse();
      if (given === batches * perBatch) growth = heapInUse() - start;
      if (given % perBatch === 0) progress();
    });
    expect(answer).toMatchObject({ kind: 'ok' });
    expect([given, misplaced]).toEqual([batches * perBatch, 0]);
    // All records together are more than 10 MB of JSON.
    expect(growth).toBeLessThan(2_000_000);
  });

  it.each([
    ['breaks off between records', `[${JSON.stringify(recordOf(1))},`, 1],
    ['breaks off within a record', `[${JSON.stringify(recordOf(1))},{"external_acc`, 1],
    ['lacks its last bracket', `[${JSON.stringify(recordOf(1))}`, 1],
    [
      'holds something that is no record',
      `[${JSON.stringify(recordOf(1))},{"kraken_account_number":"A-2"}]`,
      1,
    ],
    ['is not JSON within a record', '[{"external_account_number":"old-1" "x"}]', 0],
    ['is a page for people', '<html></html>', 0],
    ['is an object', '{"results":[]}', 0],
    ['is nothing', '', 0],
  ])('that %s is unknown, whatever of it was given', async (_how, body, given) => {
    const { answer, records } = await listOf(body);
    expect(answer).toEqual({ kind: 'unknown', cause: 'unreadable_answer', status: 200 });
    expect(records).toHaveLength(given);
  });

  it('whose connection breaks is unknown', async () => {
    const url = await platform((_request, response) => {
      response.writeHead(200).write(`[${JSON.stringify(recordOf(1))},`, () => response.destroy());
    });
    const { answer } = await listed(clientOf(url));
    expect(answer).toEqual({ kind: 'unknown', cause: 'connection_reset', status: 200 });
  });

  it('that is aborted on the way is unknown', async () => {
    const stop = new AbortController();
    const url = await platform((_request, response) => {
      response.writeHead(200).write(`[${JSON.stringify(recordOf(1))},`);
    });
    const answer = await clientOf(url).list('allProcesses', supplier, () => stop.abort(), {
      signal: stop.signal,
    });
    expect(answer).toEqual({ kind: 'unknown', cause: 'aborted', status: 200 });
  });

  it('that the platform does not give is answered like any other request', async () => {
    expect(
      await listOf('{"detail":"Not found.","code":"import_supplier_does_not_exist"}', 404),
    ).toMatchObject({
      answer: { kind: 'not-found', refusal: { detail: 'Not found.' } },
      records: [],
    });
    expect((await listOf('[{}]', 500)).answer).toEqual({ kind: 'unknown', cause: 'http_500', status: 500 });
  });

  it('passes on what the caller throws: that is a bug, and no answer', async () => {
    const url = await platform((_request, response) => sendJson(response, 200, [recordOf(1), recordOf(2)]));
    const client = clientOf(url);
    const list = client.list('allProcesses', supplier, () => {
      throw new RangeError('a bug of the caller');
    });
    await expect(list).rejects.toThrow('a bug of the caller');
    expect((await listed(client)).records).toHaveLength(2);
  });
});
