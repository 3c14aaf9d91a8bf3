import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { dispositions } from '../../src/pipeline/account/disposition.ts';
import { project } from '../cli/tool.ts';

const guide = readFileSync(project('docs/architecture.md'), 'utf8');
const sources = filesIn('src').filter((file) => file.endsWith('.ts'));
const rooms = [...new Set(sources.map(roomOf))].sort();

/** Components that assemble others: not everything that they may import is in use. */
const assembling = new Set(['run', 'cli', 'api']);

function filesIn(directory: string): readonly string[] {
  return readdirSync(project(directory), { recursive: true, encoding: 'utf8' });
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

interface Arrows {
  /** `a --> b`: may import. */
  readonly solid: ReadonlySet<string>;
  /** `a -.-> b`: may import the types of single files. */
  readonly dotted: ReadonlySet<string>;
}

/** The first drawing; an arrow to a group is one to each component in it. */
function drawn(): Arrows & { readonly names: ReadonlySet<string> } {
  const [, picture = ''] = /^```mermaid\nflowchart TD\n(.*?)^```/ms.exec(guide) ?? [];
  const groups = new Map<string, Set<string>>();
  const arrows: { readonly from: string; readonly to: string; readonly isSolid: boolean }[] = [];
  const names = new Set<string>();
  let group: Set<string> | undefined;
  for (const line of picture.split('\n').map((text) => text.trim())) {
    const [, opened] = /^subgraph (\w+)$/.exec(line) ?? [];
    const [, from, arrow, to] = /^([\w-]+) (-->|-\.->) ([\w-]+)$/.exec(line) ?? [];
    if (opened !== undefined) groups.set(opened, (group = new Set()));
    else if (line === 'end') group = undefined;
    else if (from !== undefined && to !== undefined) {
      arrows.push({ from, to, isSolid: arrow === '-->' });
      for (const name of [from, to]) (group ?? names).add(name);
    } else if (line !== '') (group ?? names).add(line);
  }
  const solid = new Set<string>();
  const dotted = new Set<string>();
  for (const { from, to, isSolid } of arrows)
    for (const room of groups.get(to) ?? [to]) (isSolid ? solid : dotted).add(`${from} ${room}`);
  for (const [name, members] of groups) {
    names.delete(name);
    for (const room of members) names.add(room);
  }
  return { solid, dotted, names };
}

/** What the rule check allows; every component may import `domain`, and nothing restricts `cli`. */
function allowed(): Arrows {
  const rules = z
    .object({
      forbidden: z.array(
        z.object({
          name: z.string(),
          to: z.object({ pathNot: z.array(z.string()).or(z.string()).optional() }),
        }),
      ),
    })
    .parse(createRequire(import.meta.url)('../../.dependency-cruiser.cjs'));
  const solid = new Set(
    rooms.filter((room) => !['cli', 'api', 'domain'].includes(room)).map((to) => `cli ${to}`),
  );
  solid.delete('cli cli');
  const dotted = new Set<string>();
  for (const { name, to } of rules.forbidden) {
    const [, room] = /^room-([\w-]+)$/.exec(name) ?? [];
    if (room === undefined) continue;
    const [whole = '', ...files] = [to.pathNot ?? []].flat();
    const [, list = ''] = /\((.*)\)/.exec(whole) ?? [];
    for (const other of list.split('|'))
      if (other !== room && other !== 'domain') solid.add(`${room} ${other}`);
    for (const file of files) dotted.add(`${room} ${roomOf(file.replace('src/', ''))}`);
  }
  return { solid, dotted };
}

/** The arrows that the imports of the sources make. */
function imported(): ReadonlySet<string> {
  const arrows = new Set<string>();
  for (const file of sources)
    for (const [, path = ''] of readFileSync(project(`src/${file}`), 'utf8').matchAll(
      /(?:from|import\()\s*'(\.[^']*)'/g,
    )) {
      const target = roomOf(relative(project('src'), resolve(project('src'), dirname(file), path)));
      if (rooms.includes(target) && target !== roomOf(file) && target !== 'domain')
        arrows.add(`${roomOf(file)} ${target}`);
    }
  return arrows;
}

const remedy = 'Change docs/architecture.md and .dependency-cruiser.cjs together.';

it('the picture has every component of the sources, and each component has its paragraph', () => {
  expect([...drawn().names].sort(), remedy).toEqual(rooms);
  const described = [...guide.matchAll(/^- \*\*([\w-]+)\*\*:/gm)].map(([, room]) => room);
  expect(described.sort(), 'Describe each room under "The rooms" in docs/architecture.md.').toEqual(rooms);
});

it('the arrows of the picture are those of the rule check', () => {
  const { solid, dotted } = drawn();
  const rules = allowed();
  expect([...solid].sort(), remedy).toEqual([...rules.solid].sort());
  expect([...dotted].sort(), remedy).toEqual([...rules.dotted].sort());
});

it('the arrows of the picture are the imports, no fewer and no more', () => {
  const { solid, dotted } = drawn();
  const arrows = [...new Set([...solid, ...dotted])].sort();
  const imports = imported();
  expect(
    [...imports].filter((arrow) => !arrows.includes(arrow)),
    remedy,
  ).toEqual([]);
  const unused = arrows.filter((arrow) => !imports.has(arrow) && !assembling.has(arrow.split(' ')[0] ?? ''));
  expect(unused, `No file makes these imports. ${remedy}`).toEqual([]);
});

it('every file that the page names is there', () => {
  const files = [...sources, ...filesIn('test')];
  const named = [...guide.matchAll(/`(?:src\/|test\/)?([a-z][a-z/-]*\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

it('the table of dispositions is the one that decides', () => {
  const rows = [...guide.matchAll(/^\| ([a-z-]+) \| (refuse|keep|leave|drive) \| (.+) \|$/gm)];
  const table = Object.entries(dispositions).map(([name, { does, because }]) => [name, does, because]);
  expect(rows.map(([, ...row]) => row)).toEqual(table);
});

it.each(rooms)('the README of %s says what it may import, and where to begin', (room) => {
  const text = readFileSync(project(`src/${room}/README.md`), 'utf8');
  const [, own = ''] = /^May import (.+?)\.(?: |$)/m.exec(text) ?? [];
  const [, types = ''] = / Of ([a-z, -]+): the types of single files\.$/m.exec(text) ?? [];
  const { solid, dotted } = allowed();
  const from = (arrows: ReadonlySet<string>) =>
    [...arrows].filter((arrow) => arrow.startsWith(`${room} `)).map((arrow) => arrow.split(' ')[1] ?? '');
  const named = (list: string) => list.split(', ').filter((name) => rooms.includes(name));
  if (room !== 'cli')
    expect([
      named(own)
        .filter((name) => name !== 'domain')
        .sort(),
      named(types).sort(),
    ]).toEqual([
      from(solid)
        .filter((name) => name !== 'domain')
        .sort(),
      from(dotted).sort(),
    ]);
  const files = [...text.matchAll(/`([a-z][a-z/-]*\.ts)`/g)].map(([, file]) => `${room}/${file ?? ''}`);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !sources.includes(file))).toEqual([]);
});
