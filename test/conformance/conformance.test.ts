import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ranHere } from '../cli/own-shell.ts';
import { lines, project, workspace } from '../cli/tool.ts';
import { scheduledContract } from '../contract/tenancy/scheduled-contract.ts';
import { ownContract } from '../contract/tenancy/own-contract.ts';
import { productsContract } from '../contract/tenancy/products-contract.ts';
import { withRegistration } from '../contract/tenancy/registration-contract.ts';
import type { AddedStep } from '../../src/domain/added-step.ts';
import { changedPlatform, type Change } from './changed-platform.ts';
import { checked, conformance, named } from './checked.ts';

const space = workspace();
afterAll(() => space.dispose());
const file = (name: string, text: string): void => writeFileSync(join(space.directory, name), text);

it.each(['dotted', 'fields'] as const)(
  'finds no fault in the embedded platform, %s errors',
  async (dialect) => {
    const { failed, summary } = await checked(space.directory, await changedPlatform({}, { dialect }));
    expect(failed).toEqual([]);
    expect(summary).toMatchObject({ exit: 0, failed: 0, notOffered: 0, notChecked: 0 });
  },
);

it.each(['dotted', 'fields'] as const)(
  'finds no fault in a platform with a contract of its own, %s errors',
  async (dialect) => {
    file('contract.yaml', ownContract);
    const platform = await changedPlatform({}, { dialect }, ownContract);
    const { failed, checks, summary } = await checked(
      space.directory,
      platform,
      '--contract',
      'contract.yaml',
    );
    expect(failed).toEqual([]);
    expect(summary).toMatchObject({ exit: 0 });
    const outcomes = new Map(checks.map(({ sentence, outcome }) => [sentence, outcome]));
    expect(outcomes.get('The contract requires brand.')).toBe('passed');
    expect(outcomes.get('The response has created_at, body and status of each note.')).toBe('not_offered');
  },
);

it.each([false, true])('finds no fault in scheduled import, alone: %s', async (isAlone) => {
  const contract = scheduledContract(isAlone);
  file('scheduled.json', contract);
  const platform = await changedPlatform({}, {}, contract);
  const { failed, checks } = await checked(space.directory, platform, '--contract', 'scheduled.json');
  expect(failed).toEqual([]);
  const scheduled = checks.filter(({ sentence }) => sentence.startsWith('Scheduled import'));
  expect(scheduled.map(({ outcome }) => outcome)).toEqual(scheduled.map(() => 'passed'));
  const validates = checks.filter(({ sentence }) => sentence.startsWith('Validate answers 200'));
  expect(validates.map(({ outcome }) => outcome)).toEqual([isAlone ? 'not_offered' : 'passed']);
  // Payloads are checked by the validate that there is, and further data on an account of the import that there is.
  const rules = ['A phone number is checked.', 'The contract requires ledgers.0.ledger_code.'];
  const further = [
    'The response has created_at, body and status of each note.',
    'The response to statements is the validated data.',
  ];
  for (const sentence of [...rules, ...further])
    expect([sentence, checks.find((one) => one.sentence === sentence)?.outcome]).toEqual([
      sentence,
      'passed',
    ]);
});

const products: AddedStep = {
  ...{
    name: 'products',
    path: '/v1/data-import/create-product/',
    check: '/v1/data-import/validate-products/',
  },
  ...{ table: 'products', identity: 'code', whenLost: 'ask', ask: '/v1/data-import/products/{identity}/' },
};

async function checkedSteps(change: Change): Promise<ReadonlyMap<string, string>> {
  const contract = productsContract();
  file('products.json', contract);
  file('.migraterc', JSON.stringify({ contract: 'products.json', steps: [products] }));
  const platform = await changedPlatform(change, {}, contract, [products]);
  const { checks } = await checked(space.directory, platform);
  rmSync(join(space.directory, '.migraterc'));
  const ofSteps = checks.filter(({ sentence }) => sentence.startsWith('Added steps'));
  return new Map(
    ofSteps.map(({ subject, sentence, outcome }) => [`${subject ?? ''}: ${sentence.slice(13, 27)}`, outcome]),
  );
}

it('checks the steps of a profile and of the contract, and finds a platform that forgets items', async () => {
  const found = await checkedSteps({});
  expect([...found.keys()]).toEqual([
    ...['products: an item withou', 'products: a check accept', 'products: an item is tak'],
    ...['businesses: an item withou', 'businesses: an item is tak'],
    ...['business-payment-instructions: an item withou', 'business-payment-instructions: an item is tak'],
  ]);
  expect([...found].filter(([, outcome]) => outcome !== 'passed')).toEqual([]);
  const forgetful = await checkedSteps({
    after: ({ path, answer }) => {
      if (path.startsWith('/v1/data-import/products/')) Object.assign(answer, { status: 404, body: {} });
    },
  });
  expect([...forgetful].filter(([, outcome]) => outcome === 'failed')).toEqual([
    ['products: an item is tak', 'failed'],
  ]);
});

it('checks the registration of meter points', async () => {
  const contract = withRegistration();
  file('registration.json', contract);
  const street = { street_address: '1 Test Street', locality: 'Sampleton', administrative_area: 'Shire' };
  const address = {
    supply_address: { ...street, postal_code: 'SW1A 1AA', country: 'GB' },
    supply_points: [{ identifier: '1200000000000', supply_type: 'ELECTRICITY' }],
  };
  file('points.json', JSON.stringify({ stage: { supply_addresses: [address] } }));
  const outcomes = async (change: Change) => {
    const platform = await changedPlatform(change, {}, contract);
    const { checks } = await checked(
      ...([space.directory, platform] as const),
      ...['--contract', 'registration.json', '--payloads', 'points.json'],
    );
    return checks.filter(({ sentence }) => sentence.startsWith('Meter points')).map(({ outcome }) => outcome);
  };
  expect(await outcomes({})).toEqual(['passed', 'passed']);
  const silent: Change = {
    after: ({ path, answer }) => {
      if (path.includes('/send-registration-flows/')) answer.body = {};
    },
  };
  expect(await outcomes(silent)).toEqual(['passed', 'failed']);
});

it('finds no fault in a platform that is held to the published document, and asks for flags that there are', async () => {
  const published = readFileSync(project('docs/openapi.json'), 'utf8');
  file('contract.json', published);
  const platform = await changedPlatform({}, {}, published);
  const { failed } = await checked(space.directory, platform, '--contract', 'contract.json');
  expect(failed).toEqual([]);
  const ended = await conformance(space.directory, platform, [...named, '--yes']);
  const help = (await ranHere(['conformance', '--help'], space.directory)).stdout;
  const asked = ended.stdout.match(/ --[a-z-]+/g) ?? [];
  expect(asked).toContain(' --paused-supplier');
  for (const flag of asked) expect(help).toContain(`${flag} <`);
});

it('finds a platform that does not require what its contract requires', async () => {
  file('contract.yaml', ownContract);
  const lax = ownContract.replace(
    'required: [import_supplier, brand, created]',
    'required: [import_supplier]',
  );
  const platform = await changedPlatform({}, {}, lax);
  const { failed } = await checked(space.directory, platform, '--contract', 'contract.yaml');
  expect(failed.map(({ section, sentence }) => `${section}: ${sentence}`)).toEqual([
    'contract: The contract requires brand.',
  ]);
});

it('says before what it creates and that it stays, and sends nothing without an agreement', async () => {
  const asked: string[] = [];
  let requests = 0;
  const platform = await changedPlatform({ before: () => void (requests += 1) });
  const ended = await conformance(space.directory, platform, named, {
    interactive: true,
    confirm: (question) => {
      asked.push(question);
      return Promise.resolve(false);
    },
  });
  expect(asked).toEqual([expect.stringMatching(/^Create \d+ accounts on http:\/\/127/)]);
  expect(ended.stderr).toContain('None of this can be deleted: the interface has no way to do it.');
  expect([ended.code, requests]).toEqual([6, 0]);
  const unattended = await conformance(space.directory, platform, named);
  expect([unattended.code, requests]).toEqual([2, 0]);
  expect(unattended.stderr).toContain('Add --yes.');
});

it('creates as many accounts as it says', async () => {
  let created = 0;
  const platform = await changedPlatform({
    after: ({ path, answer }) => {
      if (path.includes('/process/') && answer.status === 201) created += 1;
    },
  });
  const { stderr } = await checked(space.directory, platform);
  expect(stderr).toContain(`They create ${created} accounts of the supplier TENTACLE_ENERGY`);
});

it('each check quotes a sentence of the guide to the interface, in its section', async () => {
  const guide = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
  const plain = (text: string): string => text.replaceAll('`', '').replaceAll(/\s+/g, ' ');
  const sections = new Map(
    guide.split(/^## /m).map((text) => [/^[\d.]*\d/.exec(text)?.[0] ?? '', plain(text)] as const),
  );
  const { checks } = await checked(space.directory, await changedPlatform());
  expect(checks.length).toBeGreaterThan(50);
  for (const { section, sentence } of checks)
    expect(sections.get(section), `${section} ${sentence}`).toContain(plain(sentence));
});

it.each([
  ['a platform that refuses the key', { env: { MIGRATE_API_KEY: 'another' } }, 4],
  ['no credentials at all', { env: {} }, 2],
] as const)('ends before any check with %s', async (_case, own, code) => {
  const ended = await conformance(
    space.directory,
    await changedPlatform(),
    [...named, '--yes', '--json'],
    own,
  );
  expect(ended.code).toBe(code);
  expect(lines(ended.stdout)).toHaveLength(1);
});

it('ends with 5 where nothing answers, and where the supplier is not Ongoing', async () => {
  const nobody = await conformance(space.directory, { url: 'http://127.0.0.1:1', apiKey: 'key' }, [
    ...named,
    '--yes',
  ]);
  expect(nobody.code).toBe(5);
  const paused = await conformance(space.directory, await changedPlatform(), [
    ...['--supplier', 'PAUSED_ENERGY', '--team', 'MIGRATIONS', '--yes'],
  ]);
  expect([paused.code, paused.stderr]).toEqual([5, expect.stringContaining('not Ongoing')]);
});

it("does not send a profile's key to another platform", async () => {
  file('key', 'a-key');
  file('settings.yaml', 'baseUrl: https://live.example.com\napiKeyFile: key\n');
  const ended = await ranHere(
    ['conformance', 'https://sandbox.example.com', ...named, '--yes', '--config', 'settings.yaml'],
    space.directory,
  );
  expect([ended.code, ended.stderr]).toEqual([
    2,
    expect.stringContaining('are for https://live.example.com'),
  ]);
});
