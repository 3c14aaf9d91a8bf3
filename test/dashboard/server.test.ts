import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { Night, NightSource } from '../../src/dashboard/night.ts';
import { startDashboard, type RunningDashboard } from '../../src/dashboard/server.ts';
import { attempt, counts, entry, OwnClock } from '../report/fixture.ts';
import { viewOf } from '../report/html-report/report-view.ts';
import { nightOf, OwnSource } from './own-source.ts';

let dashboard: RunningDashboard | undefined;
afterEach(async () => {
  await dashboard?.close();
  dashboard = undefined;
});

const hostile = '<img src=x onerror=alert(1)>';

async function started(source: NightSource, token?: string, clock = new OwnClock()): Promise<string> {
  const place = { host: '127.0.0.1', port: 0, timeZone: 'UTC', version: '1.2.3' };
  dashboard = await startDashboard({ ...place, source, clock, token });
  // The first look is over when it waits for the next one.
  while (clock.waiting === 0) await new Promise(setImmediate);
  return dashboard.url;
}

interface Sent {
  readonly name: string;
  readonly data: string;
}

it('draws how many requests were accepted and refused since it was started, with the limit that was found', async () => {
  const source = new OwnSource();
  const clock = new OwnClock();
  const run = {
    id: 7,
    platform: 'embedded',
    platformLabel: 'embedded',
    dryRun: false,
    export: 'e',
    startedAt: 0,
  };
  const night = nightOf({ completed: 5 });
  const { platform } = night.suppliers[0]!.status;
  const answering = (accepted: number, refused: number): Night => ({
    ...night,
    runs: [{ ...run, platform, found: { perSecond: 47 }, answered: { accepted, refused, unclear: 0 } }],
  });
  source.night = answering(1000, 50);
  const url = await started(source, undefined, clock);
  source.night = answering(1090, 53);
  void clock.pass(2000);
  while (clock.waiting === 0) await new Promise(setImmediate);
  const page = await (await fetch(url)).text();
  expect(page).toContain('refused because there were too many');
  expect(page).toContain('about 47 requests a second');
  expect(page).toMatch(/<td class="number">90<\/td>\s*<td class="number">3<\/td>/);
});

it('says of a first night on another platform what `migrate morning` says: it cannot wait', async () => {
  const source = new OwnSource();
  const night = nightOf({ completed: 5 });
  const { platform } = night.suppliers[0]!.status;
  const of = { dryRun: false, export: 'e', supplier: 'TENTACLE_ENERGY' };
  const end = {
    endedAt: 9,
    exit: 0,
    reason: '',
    accounts: counts({ completed: 5 }),
    requests: 9,
    retries: 0,
  };
  const on = (id: number, place: string) => ({
    ...{ id, platform: place, platformLabel: 'https://platform.example', startedAt: id, ...of, end },
  });
  source.night = { ...night, runs: [on(2, platform), on(1, 'before')] };
  const page = await (await fetch(await started(source))).text();
  expect(page).toContain('It cannot wait: accounts may have been created on a platform');
  expect(page).not.toContain('Nothing is urgent.');
});

/** The events of the page's script, one at a time. */
async function* eventsOf(url: string): AsyncGenerator<Sent, never> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const found = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (found !== null) yield { name: found[1]!, data: found[2]! };
    }
  }
  throw new Error('the stream ended');
}

it('shows the whole state without a script, and how fast it goes and why', async () => {
  const url = await started(new OwnSource());
  const page = await (await fetch(url)).text();
  expect(page).toContain('Migration of TENTACLE_ENERGY');
  expect(page).toContain('Not complete: 5 of 125 accounts');
  expect(page).toContain('8 at once (rate)');
  expect(page).toContain('30s at this rate');
  expect(page.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toContain(
    'State of the journal on 2026-07-01 20:00:00 (UTC)',
  );
});

it('tells causes, nights and money as the report does, once all accounts were read', async () => {
  const source = new OwnSource();
  const { night } = source;
  if (night instanceof Error) throw night;
  const view = viewOf('TENTACLE_ENERGY', { pending: 120, completed: 5, rejected: 1 });
  const [one] = nightOf({ pending: 120, completed: 5, rejected: 1 }).suppliers;
  const [run] = view.runs;
  if (one === undefined || run?.end === undefined || view.survey === undefined) throw new Error('no run');
  const worked = {
    ...run,
    platform: one.status.platform,
    end: { ...run.end, reason: 'hours', driven: counts({ completed: 5 }) },
  };
  source.night = { ...night, suppliers: [one], runs: [worked] };
  const clock = new OwnClock();
  const url = await started(source, undefined, clock);
  expect(await (await fetch(url)).text()).toContain('All accounts are being read for this: 0 of 126.');

  const failures = [
    {
      ...({ state: 'rejected', code: 'invalid_postcode', accounts: 1 } as const),
      ...{ examples: [], column: { file: 'KUNDEN.csv', column: 'PLZ' } },
    },
  ];
  const counted = { at: clock.now(), isCurrent: true, survey: { ...view.survey, failures } };
  source.night = { ...source.night, suppliers: [{ ...one, counted }] };
  void clock.pass(2_000);
  while (clock.waiting === 0) await new Promise(setImmediate);
  const page = await (await fetch(url)).text();
  expect(page).toMatch(/not a valid postcode in its country<\/strong\s*>, all from <code>KUNDEN.csv:PLZ/);
  expect(page).toContain('the data&#39;s owner');
  expect(page).toContain('the 120 accounts to do take 24 more nights of 1h, without the 1 that is rejected');
  expect(page).toContain('12.50');
  expect(page).toContain('migrate reconcile');
  expect(page).toContain('Counted at 20:00:00.');
  expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="pace"'));
});

it('tells the money of all suppliers together, by currency', async () => {
  const source = new OwnSource();
  const { survey } = viewOf('A');
  const counted = survey && { at: 0, isCurrent: true, survey };
  const suppliers = ['A', 'B'].flatMap((name) => nightOf({ completed: 5, rejected: 2 }, name).suppliers);
  source.night = {
    ...nightOf({}),
    suppliers: suppliers.map((one) => ({ ...one, counted, currency: 'GBP' })),
  };
  const page = await (await fetch(await started(source))).text();
  expect(page).toContain('Money in GBP');
  expect(page).toContain('25.00');
  expect(page).toContain('A: 2 rejected');
});

it('sends a reader only what changed since the look before', async () => {
  const source = new OwnSource();
  const clock = new OwnClock();
  const url = await started(source, undefined, clock);
  const events = eventsOf(`${url}events`);
  const ids = async (last: string): Promise<string[]> => {
    const found: string[] = [];
    for (;;) {
      const { value } = await events.next();
      const [, id = ''] = /"id":"([^"]*)"/.exec(value.data) ?? [];
      // The axis of the chart ends at each look.
      if (id !== 'box-chart') found.push(id);
      if (id === last) return found;
    }
  };
  expect(await ids('box-runs')).toContain('box-steps');
  source.night = { ...nightOf({ pending: 120, completed: 5 }), warnings: ['The mark is missing.'] };
  await clock.pass(2_000);
  expect(await ids('box-problems')).toEqual(['box-time', 'box-problems']);
  source.night = nightOf({ pending: 120, completed: 5 });
  await clock.pass(2_000);
  expect(await ids('box-problems')).toEqual(['box-time', 'box-problems']);
});

it('tells a reader of a changed count, of an unreadable journal, and of its recovery', async () => {
  const source = new OwnSource();
  const clock = new OwnClock();
  const url = await started(source, undefined, clock);
  const events = eventsOf(`${url}events`);
  const next = async (part: string): Promise<string> => {
    for (;;) {
      const { value } = await events.next();
      if (value.data.includes(part)) return value.data;
    }
  };
  await next('box-runs');
  source.night = nightOf({ pending: 60, completed: 65 });
  await clock.pass(2_000);
  expect(await next('box-headline')).toContain('Not complete: 65 of 125 accounts');

  source.night = new Error('The journal cannot be read: it is damaged.');
  await clock.pass(2_000);
  expect(await next('box-problems')).toContain('The journal cannot be read: it is damaged.');
  expect(await (await fetch(url)).text()).toContain('Not complete: 65 of 125 accounts');

  source.night = nightOf({ completed: 125 });
  await clock.pass(2_000);
  expect(await next('box-problems')).not.toContain('damaged');
  expect(await next('box-headline')).toContain('Complete: all of 125 accounts');
});

it('has a reader reload the page when another supplier appears', async () => {
  const source = new OwnSource();
  const clock = new OwnClock();
  const url = await started(source, undefined, clock);
  const events = eventsOf(`${url}events`);
  while (!(await events.next()).value.data.includes('box-runs'));
  const before = nightOf({ pending: 120, completed: 5 });
  const others = nightOf({ pending: 1 }, 'OTHER_ENERGY').suppliers;
  source.night = { ...before, suppliers: [...before.suppliers, ...others] };
  await clock.pass(2_000);
  expect((await events.next()).value.name).toBe('reload');
  const page = await (await fetch(url)).text();
  expect(page).toContain('href="?supplier=OTHER_ENERGY&amp;platform=p"');
  const other = await (await fetch(`${url}?supplier=OTHER_ENERGY&platform=p`)).text();
  expect(other).toContain('Migration of OTHER_ENERGY');
});

it("shows an account's requests, answers and faulty cells, and that a number is not known", async () => {
  const source = new OwnSource();
  const url = await started(source);
  const unknown = await fetch(`${url}account?account=${encodeURIComponent(hostile)}`);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).not.toContain('<img');

  source.found.push({
    platformLabel: 'https://api.example.com',
    entry,
    attempts: [attempt({ words: hostile })],
    problems: [
      {
        step: 'transactions',
        code: 'duplicate_transaction_ids',
        path: 'transactions.1.id',
        cell: { file: 'transactions.csv', line: 9, column: 'id' },
      },
    ],
    partCells: [],
    interventions: [],
  });
  const page = await (await fetch(`${url}account?account=4711`)).text();
  expect(page).toContain('transactions.csv:9:id');
  expect(page).toContain('A-00001234');
  expect(page).toContain('&lt;img');
  expect(page).not.toContain('<img');
});

it('is for this machine alone without a token: not for a name that was pointed to it', async () => {
  const url = await started(new OwnSource());
  const { port } = new URL(url);
  const status = await new Promise((resolve) => {
    request({ port, host: '127.0.0.1', headers: { host: `evil.example.com:${port}` } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(403);
  expect((await fetch(url.replace('127.0.0.1', 'localhost'))).status).toBe(200);
});

it('asks for the token where there is one, and keeps it out of the address', async () => {
  const token = 'a-token-of-a-team-1';
  const url = await started(new OwnSource(), token);
  for (const path of ['', 'events', 'account?account=1', '?token=another-token-here'])
    expect((await fetch(`${url}${path}`, { redirect: 'manual' })).status).toBe(401);
  const led = await fetch(`${url}?token=${token}`, { redirect: 'manual' });
  expect(led.status).toBe(303);
  expect(led.headers.get('location')).toBe('./');
  const cookie = led.headers.get('set-cookie')!;
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/);
  const admitted = await fetch(url, { headers: { cookie: cookie.split(';')[0]! } });
  expect(admitted.status).toBe(200);
  expect(await admitted.text()).not.toContain(token);
  expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});

it('keeps a token of any letters', async () => {
  const token = 'täglich; Domain=elsewhere.invalid\r\n';
  const url = await started(new OwnSource(), token);
  const led = await fetch(`${url}?token=${encodeURIComponent(token)}`, { redirect: 'manual' });
  const [cookie = '', ...attributes] = led.headers.get('set-cookie')?.split('; ') ?? [];
  expect(attributes).toEqual(['HttpOnly', 'SameSite=Strict']);
  expect((await fetch(url, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${url}?token=%ff`, { redirect: 'manual', headers: { cookie } })).status).toBe(303);
});

it('takes no token from the address where it needs none', async () => {
  const open = await started(new OwnSource());
  const shown = await fetch(`${open}?token=%ff%0d%0a`, { redirect: 'manual' });
  expect([shown.status, shown.headers.get('set-cookie')]).toEqual([200, null]);
});

it('changes nothing: every other method is refused', async () => {
  const url = await started(new OwnSource());
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    expect((await fetch(url, { method })).status).toBe(405);
  expect((await fetch(`${url}nowhere`)).status).toBe(404);
});

it.each(['//', '/\\\\', '//x:y', 'http://elsewhere.invalid/'])(
  'answers an address that is none of its own as unknown: %s',
  async (path) => {
    const { hostname, port } = new URL(await started(new OwnSource()));
    const [status] = await new Promise<[number | undefined]>((done, failed) => {
      request({ hostname, port, path }, (answer) => {
        answer.resume();
        done([answer.statusCode]);
      })
        .on('error', failed)
        .end();
    });
    expect(status).toBe(404);
  },
);
