// Answers repeat customers' data in every place that an answer has; no file and no stream that promises otherwise has it.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { generateExport } from '../../src/generate/generate-export.ts';
import { notingPlatform, sendJson, type SeenRequest } from '../client/loopback.ts';
import { ranHere } from './own-shell.ts';
import { served, workspace, type Served } from './tool.ts';

const supplier = 'TENTACLE_ENERGY';
/** A customer's data; most of it has the form of a code or a path. */
const values = [
  'Wexelbaum',
  'zq.wexelbaum@example.com',
  '+441134960657',
  'Kestrelgrove 17',
  'gartenzwerg-unter-der-treppe',
  'frostschaden-am-speicher',
];
/** Parts of the addresses of the endpoints, in the order of an account's steps. */
const steps = [
  'validate-account',
  'create-or-update',
  'account-import-process/process',
  'account-transfer-status',
  'notes',
  'transactions',
  'agreements',
  'billing-documents',
  'statements',
  'payment-instruction',
];
/** The last values are those of a note and of a transaction: every step's answers repeat those of every step. */
const cases = steps.flatMap((step) => values.map((value) => ({ step, value })));

const space = workspace();
const path = (name: string): string => join(space.directory, name);
const accounts: string[] = [];

const rowForm = z.looseObject({ external_account_number: z.string() });
type Row = z.infer<typeof rowForm>;

/** Rewrites a file of the export; a row is left out if `change` gives none. */
function rewrite(name: string, change: (row: Row) => Row | undefined): void {
  const file = join(path('export'), name);
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const kept = rows.flatMap((line) => change(rowForm.parse(JSON.parse(line))) ?? []);
  writeFileSync(file, kept.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

beforeAll(async () => {
  const [wanted, seed] = [cases.length * 3, 31];
  await generateExport({ directory: path('export'), accounts: wanted, seed, shape: 'interface', supplier });
  const having = (name: string): ReadonlySet<string> => {
    const found = new Set<string>();
    rewrite(name, (row) => (found.add(row.external_account_number), row));
    return found;
  };
  const whole = ['notes', 'transactions'].map((name) => having(`${name}.ndjson`));
  rewrite('accounts.ndjson', (row) => {
    const customers = z.array(z.looseObject({})).optional().parse(row['customers']);
    const address = z.looseObject({}).optional().parse(row['billing_address']);
    if (customers === undefined || address === undefined || accounts.length === cases.length)
      return undefined;
    if (!whole.every((file) => file.has(row.external_account_number))) return undefined;
    accounts.push(row.external_account_number);
    const [name, email, landline, street_address] = values;
    return {
      ...row,
      customers: [{ ...customers[0], family_name: name, email, landline }],
      billing_address: { ...address, street_address },
    };
  });
  const kept = new Set(accounts);
  for (const name of readdirSync(path('export')).filter((name) => name !== 'accounts.ndjson'))
    rewrite(name, (row) => {
      if (!kept.has(row.external_account_number)) return undefined;
      const items = z.array(z.looseObject({})).optional();
      const { notes, transactions } = z.looseObject({ notes: items, transactions: items }).parse(row);
      if (notes !== undefined) return { ...row, notes: [{ ...notes[0], body: values[4] }] };
      if (transactions !== undefined)
        return { ...row, transactions: [{ ...transactions[0], note: values[5] }, ...transactions.slice(1)] };
      return row;
    });
  expect(accounts).toHaveLength(cases.length);
});
afterAll(() => space.dispose());

type Repeats = (response: ServerResponse, value: string) => void;
const dressed =
  (status: number, headers: (value: string) => Record<string, string>): Repeats =>
  (response, value) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers(value) }).end('{}');
const said =
  (status: number, body: (value: string) => unknown): Repeats =>
  (response, value) =>
    sendJson(response, status, body(value));

/** The places of an answer, by what they are. */
const places: Readonly<Record<string, Repeats>> = {
  'a code': said(400, (code) => ({ detail: 'No.', code, errors: [{ detail: 'No.', code, attr: '' }] })),
  'a path': said(400, (attr) => ({ detail: 'No.', code: 'a', errors: [{ detail: 'No.', code: 'a', attr }] })),
  'a path that begins well': said(400, (value) => ({
    detail: 'No.',
    code: 'a',
    errors: [{ detail: 'No.', code: 'a', attr: `customers.0.${value}` }],
  })),
  'a field of a refusal': said(400, (value) => ({ [value]: ['No.'] })),
  'a field within a field': said(400, (value) => ({
    customers: [{ [value]: ['No.'] }],
    notes: { [value]: [] },
  })),
  'a domain': said(400, (domain) => ({ detail: 'No.', code: 'a', domain })),
  'a member of a success': said(200, (value) => ({ [value]: value, status: 'COMPLETED' })),
  'a word for a status': said(200, (value) => ({
    status: value,
    results: [{ status: value, error_detail: value }],
  })),
  'a list of statuses': said(200, (value) => [{ status: value, body: value, created_at: value }]),
  'a number': said(201, (value) => ({
    external_account_number: value,
    import_supplier: value,
    kraken_account_number: value,
    reference: value,
  })),
  'a media type': dressed(200, (value) => ({ 'content-type': value })),
  'a part of a media type': dressed(200, (value) => ({ 'content-type': `text/${value}; charset=${value}` })),
  'a reason phrase': (response, value) => void response.writeHead(418, value).end(),
  'a target': dressed(302, (value) => ({
    location: `https://gate.example/${encodeURIComponent(value)}?${encodeURIComponent(value)}`,
  })),
  'a time to wait': dressed(200, (value) => ({ 'retry-after': value, age: value, date: value, via: value })),
  'a name of a header': dressed(200, (value) => ({ [`x-${value.replaceAll(/[^\w-]/g, '')}`]: value })),
  'a page': (response, value) =>
    void response.writeHead(502, { 'content-type': 'text/html' }).end(`<title>${value}</title>`),
  'JSON that breaks off': (response, value) =>
    void response.writeHead(400, { 'content-type': 'application/json' }).end(`{"detail": "${value}", "co`),
  'a message': said(400, (value) => ({
    detail: `No ${value}.`,
    code: 'a',
    errors: [{ detail: value, code: 'a', attr: '' }],
  })),
  'a message of a refused key': said(403, (value) => ({ detail: `No ${value}.` })),
};
/** Every account's answers to this step are the same, so that the step is held, and said to be. */
const heldStep = 'agreements';
/** The platform's own words are shown here, as docs/security.md says. */
const showsWords = /^(run|reconcile) /;

const forms = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  value.replaceAll(/\W/g, ''),
];

const held = ['a member of a success', 'a media type', 'a part of a media type'];
const tests = [
  ...Object.keys(places).map((place) => [place, 'in one account’s answer', false] as const),
  ...held.map((place) => [place, 'in all answers to a step', true] as const),
];

it.each(tests)('%s %s repeats a value that nothing tells', async (place, _where, isHeld) => {
  const repeats = places[place] ?? expect.fail();
  const numbers = new Map<string, string>();
  const folder = mkdtempSync(join(space.directory, 'place-'));
  const platform = await served(space.directory, '--state', `${basename(folder)}.db`);
  const { url } = await notingPlatform((response, request) => {
    const about = `${request.url ?? ''} ${request.body}`;
    const number = /A-\d+/.exec(about)?.[0] ?? '';
    const account = /EXT-\d{6}/.exec(about)?.[0] ?? numbers.get(number) ?? '';
    const of = cases[accounts.indexOf(account)] ?? { step: 'none', value: '' };
    const { step, value } = isHeld ? { step: heldStep, value: values[1] ?? '' } : of;
    const { pathname } = new URL(request.url ?? '', 'http://x');
    if (pathname.includes(step)) repeats(response, value);
    // The status is asked for if the answer to process is lost.
    else if (step === 'account-transfer-status' && pathname.includes('/process/')) response.destroy();
    else void forward(platform, response, request, (given) => numbers.set(given, account));
  });
  const env = {
    MIGRATE_BASE_URL: url,
    MIGRATE_API_KEY: platform.apiKey,
    MIGRATE_TEAM: 'MIGRATIONS',
    MIGRATE_PATIENCE_QUIET_PERIOD_MS: '50',
    MIGRATE_PATIENCE_STATUS_POLL_MS: '20',
    MIGRATE_PATIENCE_LAGGING_MS: '20',
    MIGRATE_PATIENCE_CREDENTIALS_MS: '50',
    MIGRATE_PATIENCE_UNAVAILABLE_MS: '500',
    MIGRATE_PATIENCE_IN_PROGRESS_MS: '50',
    MIGRATE_RETRY_BASE_MS: '5',
    MIGRATE_RETRY_CAP_MS: '20',
    MIGRATE_NOTIFY_COMMAND: `cat >> ${join(folder, 'notified')}`,
  };
  const told: [string, string][] = [];
  const tell = async (...args: string[]): Promise<void> => {
    const { stdout, stderr } = await ranHere(args, folder, { env });
    expect(stdout + stderr).not.toMatch(/error: MIGRATE_|required option/);
    told.push([args.join(' '), stdout + stderr]);
  };
  await tell('run', '../export', '--yes', '--json', '--log', 'log.ndjson', '--metrics-file', 'metrics');
  for (const command of ['status', 'list', 'history', 'doctor']) await tell(command);
  await tell('report', '--out', 'report.html');
  await tell('numbers', '--out', 'numbers.csv');
  await tell('list', '--csv');
  await tell('journal', 'export');
  await tell('reconcile', '../export', '--json');
  for (const account of accounts.filter((_, at) => at % 10 === 3)) await tell('show', account);
  await platform.stop();
  for (const name of filesIn(folder)) told.push([name, readFileSync(join(folder, name), 'latin1')]);
  const leaks = new Set<string>();
  for (const [where, text] of told)
    if (place !== 'a message' || !showsWords.test(where))
      for (const value of values)
        for (const form of forms(value)) {
          const at = text.indexOf(form);
          if (at >= 0) leaks.add(`${where}: ${text.slice(Math.max(0, at - 80), at + 40)}`);
        }
  expect([...leaks].join('\n---\n').slice(0, 4000)).toBe('');
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Lets the embedded platform answer. */
async function forward(
  { url }: Served,
  response: ServerResponse,
  request: SeenRequest,
  isGiven: (number: string) => void,
): Promise<void> {
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
  const answer = await fetch(`${url}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    ...(request.body === '' ? {} : { body: request.body }),
  });
  const media = answer.headers.get('content-type') ?? 'application/json';
  const body = await answer.text();
  const [number] = /A-\d+/.exec(body) ?? [];
  if (number !== undefined) isGiven(number);
  response.writeHead(answer.status, { 'content-type': media }).end(body);
}
