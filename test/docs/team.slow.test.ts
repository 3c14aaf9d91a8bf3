import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, parse } from 'yaml';
import { z } from 'zod';
import { objectionTo } from '../cli/command-lines.ts';
import { bin, ended, project, start, summaryOf, tool, workspace, type Ended } from '../cli/tool.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../postgres/start-postgres.ts';

const guide = readFileSync(project('docs/team.md'), 'utf8');
const composeText = readFileSync(project('docs/team/compose.yaml'), 'utf8');

/** What the Secret of the cluster has. */
const clusterToken = 'of-the-secret-in-the-cluster';

/** What a container of the tool is started with. */
interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
});

function services(): readonly Container[] {
  const { services: all } = z.object({ services: z.record(z.string(), service) }).parse(parse(composeText));
  return Object.entries(all)
    .filter(([, { image }]) => image === 'account-migrate')
    .map(([name, { command, environment }]) => ({ name, args: command, env: environment }));
}

const podContainer = z.looseObject({
  image: z.literal('account-migrate'),
  args: z.array(z.string()),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
});
const pod = z.looseObject({ spec: z.looseObject({ containers: z.array(podContainer) }) });
const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).optional(),
  spec: z
    .looseObject({
      parallelism: z.number().optional(),
      template: pod.optional(),
      jobTemplate: z.looseObject({ spec: z.looseObject({ template: pod }) }).optional(),
    })
    .optional(),
});

function manifests() {
  const text = readFileSync(project('docs/team/kubernetes.yaml'), 'utf8');
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return manifest.parse(document.toJS());
  });
}

function pods(): readonly Container[] {
  const all = manifests();
  const maps = new Map(all.map(({ kind, metadata, data }) => [`${kind} ${metadata.name}`, data ?? {}]));
  return all.flatMap(
    ({ kind, spec }) =>
      (spec?.template ?? spec?.jobTemplate?.spec.template)?.spec.containers.map(({ args, env, envFrom }) => ({
        name: kind,
        args,
        env: Object.assign(
          {},
          ...envFrom.map(({ configMapRef }) => maps.get(`ConfigMap ${configMapRef.name}`)),
          Object.fromEntries(env.map(({ name, value = clusterToken }) => [name, value])),
        ) as Record<string, string>,
      })) ?? [],
  );
}

it('starts containers with flags that the tool has', async () => {
  const all = [...services(), ...pods()];
  expect(all.map(({ name }) => name)).toEqual([
    ...['platform', 'runner', 'dashboard'],
    ...['Job', 'CronJob', 'Deployment'],
  ]);
  for (const { args } of all) expect(await objectionTo(args.join(' '))).toBeUndefined();
  expect(manifests().find(({ kind }) => kind === 'Job')?.spec?.parallelism).toBe(3);
});

describe.skipIf(!hasPostgres)(
  'the guide for teams, followed as far as it goes without containers (needs PostgreSQL)',
  () => {
    const space = workspace();
    const { directory } = space;
    const children: ChildProcess[] = [];
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
      copyFileSync(project('docs/team/compose.yaml'), join(directory, 'compose.yaml'));
      const [, setup = ''] = /^```sh setup.sh\n(.*?)^```/ms.exec(guide) ?? [];
      const commands = setup.replace(/^migrate /m, `"${process.execPath}" "${bin}" `).replace('2000', '200');
      writeFileSync(join(directory, 'setup.sh'), commands);
      const { status, stderr } = spawnSync('sh', ['-e', 'setup.sh'], { cwd: directory, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    });
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL');
      await server.remove();
      space.dispose();
    });

    const secret = (name: string): string => readFileSync(join(directory, 'secrets', name), 'utf8').trim();

    /** A container's file or host, as this machine has it. */
    const here = (text: string): string =>
      text
        .replace('@database/', `@127.0.0.1:${server.port}/`)
        .replace('@db.example.com/books?sslmode=verify-full', `@127.0.0.1:${server.port}/books`)
        .replace('https://platform.example.com', `http://127.0.0.1:${platformPort}`)
        .replace('127.0.0.1:4010', `127.0.0.1:${platformPort}`)
        .replace('/run/secrets/migrate/', `${directory}/secrets/`)
        .replace('/run/secrets/operator', `${directory}/secrets/operator.yaml`)
        .replace('/run/secrets/', `${directory}/secrets/`)
        .replace('/migration/', `${directory}/platform-`)
        .replace(/^\/export$/, join(directory, 'export'))
        .replace(/^4010$/, String(platformPort))
        .replace(/^8080$/, '0')
        .replace(/^\$\{MIGRATE_DASHBOARD_TOKEN:.*\}$/, token)
        .replace(/^22:00-05:30$/, '00:00-23:59');
    let platformPort = 0;
    let token = '';

    function begin({ args, env }: Container, place: string): ChildProcess {
      const cwd = join(directory, place);
      mkdirSync(cwd, { recursive: true });
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]));
      const child = start([...args.map(here), '--json'], cwd, own);
      children.push(child);
      return child;
    }

    const containers = new Map([...services(), ...pods()].map((container) => [container.name, container]));
    function container(name: string): Container {
      const found = containers.get(name);
      if (found === undefined) throw new Error(`no container ${name}`);
      return found;
    }

    it('runs its containers, and each reading command as a role that may only look', async () => {
      platformPort = await freePort();
      token =
        /^MIGRATE_DASHBOARD_TOKEN=(.*)$/m.exec(readFileSync(join(directory, '.env'), 'utf8'))?.[1] ?? '';
      await server.query(`CREATE ROLE migrate LOGIN PASSWORD '${secret('journal-password')}'`);
      await server.query('CREATE DATABASE books OWNER migrate');
      const roles = readFileSync(project('docs/team/roles.sql'), 'utf8')
        .replace(/^\\set .*$/m, '')
        .replace(":'looking_password'", `'${secret('looking-password')}'`);
      await server.query(roles, 'books');
      // The guide has the same grants.
      const [, grants = ''] = /^```sql\n(.*?)^```/ms.exec(guide) ?? [];
      for (const grant of grants.split('\n').filter((line) => /^(GRANT|ALTER)/.test(line)))
        expect(roles).toContain(grant);

      const platform = begin(container('platform'), 'platform');
      if (platform.stdout === null) throw new Error('a child without stdout');
      await once(createInterface({ input: platform.stdout }), 'line');
      const runs = ['a', 'b'].map((place) => ended(begin(container('runner'), place)));
      for (const run of await Promise.all(runs))
        expect(summaryOf(run.stdout), run.stderr).toMatchObject({ exit: 0, accounts: { completed: 200 } });
      for (const name of ['Job', 'CronJob']) {
        const again = await ended(begin(container(name), 'pod'));
        expect(summaryOf(again.stdout), again.stderr).toMatchObject({
          exit: 0,
          accounts: { completed: 200 },
        });
      }

      for (const name of ['dashboard', 'Deployment']) {
        const { url } = await listening(begin(container(name), 'c'));
        const bearer = name === 'dashboard' ? token : clusterToken;
        const refused = await fetch(url);
        expect(refused.status).toBe(401);
        const page = await fetch(url, { headers: { Authorization: `Bearer ${bearer}` } });
        expect(page.status).toBe(200);
      }

      const { env } = container('runner');
      const looking = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]));
      Object.assign(looking, {
        MIGRATE_JOURNAL: here('postgres://looking@database/books'),
        MIGRATE_JOURNAL_PASSWORD_FILE: here('/run/secrets/looking-password'),
      });
      const look = (...args: string[]): Promise<Ended> => tool(args, join(directory, 'c'), looking);
      const first = /"account":"([^"]+)"/.exec((await look('list', '--json')).stdout)?.[1] ?? '';
      const exported = join(directory, 'export');
      for (const command of [
        ...[
          ['status'],
          ['list'],
          ['show', first],
          ['history'],
          ['numbers', '--out', 'numbers.csv'],
          ['report', '--out', 'report.html'],
        ],
        ...[
          ['plan', exported],
          ['journal', 'check'],
          ['journal', 'export'],
        ],
      ]) {
        const { code, stderr } = await look(...command);
        expect(code, `${command.join(' ')}: ${stderr}`).toBe(0);
      }
      const status = await ended(begin({ ...container('dashboard'), args: ['status'] }, 'c'));
      expect(summaryOf(status.stdout), status.stderr).toMatchObject({ exit: 0 });
      // It can look, and nothing else: reconcile holds the supplier while it compares.
      for (const command of [
        ['run', exported, '--yes'],
        ['reconcile', exported],
      ]) {
        const refused = await look(...command);
        expect(refused).toMatchObject({ code: 2 });
        expect(refused.stderr).toContain('the user lacks rights');
      }
    });
  },
);

async function listening(child: ChildProcess): Promise<{ readonly url: string }> {
  if (child.stdout === null) throw new Error('a child without stdout');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  if (!line.includes('"listening"')) throw new Error(`${line}\n${(await ended(child)).stderr}`);
  const { url } = z.object({ type: z.literal('listening'), url: z.string() }).parse(JSON.parse(line));
  return { url: url.replace('0.0.0.0', '127.0.0.1') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
