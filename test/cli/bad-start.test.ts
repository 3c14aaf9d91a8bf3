import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateExport } from '../../src/generate/generate-export.ts';
import { concluded, refused } from './endings.ts';
import type { AnyCommand } from '../../src/cli/commander.ts';
import { otherNames } from '../../src/cli/meant-command.ts';
import { idleProgram } from './command-lines.ts';
import { ranHere } from './own-shell.ts';
import { project, workspace } from './tool.ts';

let space: ReturnType<typeof workspace>;
let directory: string;
beforeEach(() => {
  space = workspace();
  ({ directory } = space);
});
afterEach(() => space.dispose());

const sample = project('fixtures/interface');
const inPlace = (file: string): string => join(directory, file);

describe('a wrong command line', () => {
  const hint = 'Run the command with --help to see its options.';
  it.each([
    [['run', sample, '--limt', '3'], "Unknown option '--limt'.", 'Did you mean --limit?'],
    [['validate', sample, '--zzz'], "Unknown option '--zzz'.", hint],
    [['valdate', sample], "Unknown command 'valdate'.", 'Did you mean validate?'],
    [['mapping', 'init'], "Unknown command 'init'.", 'Did you mean migrate init?'],
    [['mapping', 'lint'], "Unknown command 'lint'.", 'Did you mean migrate mapping check?'],
    [['schema'], "Unknown command 'schema'.", 'Did you mean migrate contract schema?'],
    [['resume'], "Unknown command 'resume'.", 'Did you mean migrate run?'],
    [['constructor'], "Unknown command 'constructor'.", hint],
    [['run', sample, '--steps', 'stage,proces'], "There is no step 'proces'.", 'Did you mean process?'],
    [
      ['run', sample, '--limit', 'many'],
      "--limit: 'many' is not valid.",
      'Give a whole number of at least 1.',
    ],
    [['run', sample, '--max-failures', '101%'], '--max-failures', 'a share from 1% to 100%'],
    [['serve', '--port', '99999'], "--port: '99999' is not valid.", 'Give a port from 1 to 65535'],
    [['run', sample, '--metrics-port', '65536'], '--metrics-port', 'Give a port from 1 to 65535'],
    [['run'], 'No export is named', 'Name the export'],
  ])('%j says what is wrong and what to do', async (args, what, remedy) => {
    const ended = await ranHere([...args, '--json'], directory);
    const { errors } = concluded(ended, args[0] ?? '', 2);
    for (const part of [what, remedy]) {
      expect(errors).toEqual([expect.stringContaining(part)]);
      expect(ended.stderr).toContain(part);
    }
  });

  it('generate refuses a supplier that the contract does not list', async () => {
    const contract = readFileSync(project('fixtures/faulty/contract.yaml'), 'utf8').replaceAll(
      'import_supplier: { type: string }',
      'import_supplier: { type: string, enum: [MARSH_POWER, HILL_POWER] }',
    );
    writeFileSync(inPlace('contract.yaml'), contract);
    const generated = (...more: string[]) =>
      ranHere(['generate', 'made', '--accounts', '2', '--contract', 'contract.yaml', ...more, '--json'], directory); // prettier-ignore
    refused(
      await generated('--supplier', 'MARSH'),
      'generate',
      2,
      'The contract does not list the import supplier MARSH. It lists: MARSH_POWER, HILL_POWER.',
    );
    expect(existsSync(inPlace('made'))).toBe(false);
    concluded(await generated('--supplier', 'HILL_POWER'), 'generate', 0);
    expect(
      readFileSync(inPlace('made/accounts.ndjson'), 'utf8').match(/HILL_POWER/g)?.length,
    ).toBeGreaterThan(1);
  });

  it.each([...otherNames])('%s is not a command, and %s is', (_name, meant) => {
    const program = idleProgram();
    const [, ...words] = meant.split(' ');
    let command: AnyCommand | undefined = program;
    for (const word of words)
      if (word.startsWith('--')) expect(command?.options.map(({ long }) => long)).toContain(word);
      else command = command?.commands.find((one) => one.name() === word);
    expect(command?.commands).toEqual([]);
  });

  it('with an option before the name of the command says where options stand', async () => {
    const ended = await ranHere(['--quiet', 'status', '--json'], directory);
    const remedy = 'Put options after the command name.';
    refused(ended, 'status', 2, `Unknown option '--quiet'`);
    expect([ended.stdout, ended.stderr]).toEqual(Array(2).fill(expect.stringContaining(remedy)));
  });

  it.each([
    [['--concurrency', '0'], '--concurrency: must be a whole number from 1 to 1,000.'],
    [['--accounts', 'none.txt'], 'none.txt does not exist. Check the path.'],
    [['--mapping', '.'], 'is a directory. Name a file.'],
    [['--profile', 'live'], '--profile: there is no profile "live": no .migraterc was found in '],
    [['--config', 'none.yaml'], '--config: there is no file '],
  ])('%j is refused before anything is sent', async (args, error) => {
    refused(await ranHere(['run', sample, '--json', ...args], directory), 'run', 2, error);
    expect(existsSync(inPlace('.migrate'))).toBe(false);
  });
});

it('a supplier that no account of the export has is refused, with those that there are', async () => {
  for (const command of ['validate', 'run']) {
    const ended = await ranHere([command, sample, '--supplier', 'TENTACLE_ENRGY', '--json'], directory);
    refused(ended, command, 2, 'TENTACLE_ENERGY');
  }
});

it('a list of accounts that the export does not have is warned of', async () => {
  writeFileSync(inPlace('accounts.txt'), 'EXT-900001\n');
  const ended = await ranHere(['run', sample, '--accounts', 'accounts.txt', '--json'], directory);
  expect(ended.stderr).toContain(
    'warning: The export has accounts, but none of them was selected. Check --accounts.',
  );
});

it('a journal whose path leads nowhere is refused', async () => {
  symlinkSync(inPlace('nowhere'), inPlace('link'));
  const ended = await ranHere(['run', sample, '--json', '--journal', 'link/deep/journal.db'], directory);
  refused(ended, 'run', 2, 'cannot be created: part of its path does not exist. Check the path.');
});

describe('a .migraterc', () => {
  it.each([
    ['concurrency: [1\nteam: A\n', '.migraterc:2:1: not valid YAML: '],
    ['{"concurrency": 4,,}\n', '.migraterc:1:19: not valid YAML: '],
    ['\tconcurrency: 4\n', '.migraterc:1:1: not valid YAML: indent with spaces, not with tabs.'],
    ['- concurrency\n', '.migraterc: must be a list of `key: value` lines, or a JSON object.'],
    ['team: A\nconcurency: 4\n', '.migraterc:2: unknown key "concurency". Did you mean "concurrency"?'],
    ['retry:\n  atempts: 4\n', '.migraterc:2: unknown key "atempts" in retry. Did you mean "attempts"?'],
    ['concurrency: lots\n', '.migraterc:1: concurrency must be a whole number from 1 to 1,000.'],
    [
      'baseUrl: http://api.example.com\n',
      '.migraterc:1: baseUrl must use https: plain http is allowed for this machine',
    ],
  ])('%j is refused with its place and the remedy', async (text, error) => {
    writeFileSync(inPlace('.migraterc'), text);
    refused(await ranHere(['run', sample, '--json'], directory), 'run', 2, error);
    expect(existsSync(inPlace('.migrate'))).toBe(false);
  });

  it('never shows a secret that was written into it', async () => {
    writeFileSync(inPlace('.migraterc'), 'apiKey: sk_planted\nteam: "sk_planted\n');
    const ended = await ranHere(['validate', sample, '--json', '--verbose'], directory);
    expect(concluded(ended, 'validate', 2)['errors']).toHaveLength(1);
    expect(ended.stdout + ended.stderr).not.toContain('planted');
  });
});

describe('a mapping file', () => {
  const whole = readFileSync(project('fixtures/legacy/mapping.yaml'), 'utf8').replace(
    './old-characters.mjs',
    project('fixtures/legacy/old-characters.mjs'),
  );
  const lineOf = (part: string): number => whole.slice(0, whole.indexOf(part)).split('\n').length;

  it.each([
    {
      fault: 'an unknown key',
      from: 'administrative_area: BUNDESLAND',
      to: 'administrativ_area: BUNDESLAND',
      error:
        ':account.billing_address.administrativ_area: There is no field administrativ_area to map here. Did you mean administrative_area?',
    },
    {
      fault: 'a column that the file lacks',
      from: 'MANDATSREFERENZ',
      to: 'MANDATREFERENZ',
      error:
        ':payment_instructions.each.reference: MANDATE.csv has no column MANDATREFERENZ. Did you mean MANDATSREFERENZ?',
    },
  ])('with $fault is refused at its line', async ({ from, to, error }) => {
    writeFileSync(inPlace('mapping.yaml'), whole.replace(from, to));
    const args = [project('fixtures/legacy/export'), '--mapping', 'mapping.yaml', '--json'];
    const place = `mapping.yaml:${lineOf(from)}`;
    refused(await ranHere(['run', ...args], directory), 'run', 2, `${place}${error}`);
    expect(existsSync(inPlace('.migrate'))).toBe(false);
  });

  it('that is no YAML is refused at its line', async () => {
    writeFileSync(inPlace('mapping.yaml'), `${whole.slice(0, whole.indexOf('\ntables:'))}\ntables: {\n`);
    const args = ['validate', project('fixtures/legacy/export'), '--mapping', 'mapping.yaml', '--json'];
    refused(await ranHere(args, directory), 'validate', 2, 'This is not valid YAML');
  });
});

describe('a journal', () => {
  let before: ReturnType<typeof workspace>;
  const kept = (file: string): string => join(before.directory, file);
  beforeAll(async () => {
    before = workspace();
    const supplier = 'TENTACLE_ENERGY';
    await generateExport({ directory: kept('export'), accounts: 3, seed: 5, shape: 'interface', supplier });
    const run = await ranHere(['run', 'export', '--json'], before.directory);
    expect(concluded(run, 'run', 0)).toMatchObject({ accounts: { completed: 3 } });
  });
  afterAll(() => before.dispose());

  const journal = (): string => inPlace('.migrate/journal.db');
  beforeEach(() => {
    mkdirSync(inPlace('.migrate'));
    for (const file of ['journal.db', 'platform.db'])
      copyFileSync(kept(`.migrate/${file}`), inPlace(`.migrate/${file}`));
  });

  it.each([
    {
      fault: 'of a later version',
      spoil: () => {
        const db = new Database(journal());
        db.pragma('user_version = 99');
        db.close();
      },
      error: 'was written by a newer version of this tool (schema 99, known up to ',
    },
    {
      fault: 'whose first page is damaged',
      spoil: () => writeFileSync(journal(), readFileSync(journal()).fill(0x41, 0, 4096)),
      error:
        'is damaged or not a database. Restore it from a backup (a journal by `migrate journal restore FILE` with the same --config, --profile and --journal), or move it away',
    },
    {
      fault: 'whose contents are damaged',
      spoil: () => writeFileSync(journal(), readFileSync(journal()).fill(0x41, 4096)),
      error:
        'is damaged. Restore it from a backup (a journal by `migrate journal restore FILE` with the same --config, --profile and --journal), or move it away',
    },
    {
      fault: 'that was cut off',
      spoil: () => writeFileSync(journal(), readFileSync(journal()).subarray(0, 9000)),
      error:
        'is damaged. Restore it from a backup (a journal by `migrate journal restore FILE` with the same --config, --profile and --journal), or move it away',
    },
    {
      fault: 'that is empty',
      spoil: () => writeFileSync(journal(), ''),
      error: 'is empty, so it is no longer a journal. Restore it from a backup (a journal by',
    },
    {
      fault: 'that is a database of something else',
      spoil: () => copyFileSync(kept('.migrate/platform.db'), journal()),
      error: 'is not a journal of this tool. Name another file.',
    },
  ])('$fault is refused, left as it is, and never taken for an empty one', async ({ spoil, error }) => {
    spoil();
    const found = readFileSync(journal());
    const ended = await ranHere(['run', kept('export'), '--json'], directory);
    refused(ended, 'run', 2, `${journal()} ${error}`);
    expect(readFileSync(journal()).equals(found)).toBe(true);
  });

  it('that is lost and restored goes on where it was', async () => {
    writeFileSync(journal(), '');
    refused(await ranHere(['status', '--json'], directory), 'status', 2, `${journal()} is empty`);
    copyFileSync(kept('.migrate/journal.db'), journal());
    const restored = await ranHere(['run', kept('export'), '--json'], directory);
    expect(concluded(restored, 'run', 0)).toMatchObject({ requests: 0, accounts: { completed: 3 } });
  });

  it('beside a damaged state of the embedded platform says which of the two it is', async () => {
    writeFileSync(inPlace('.migrate/platform.db'), '');
    const ended = await ranHere(['run', kept('export'), '--json'], directory);
    refused(
      ended,
      'run',
      2,
      `The embedded platform did not start. ${inPlace('.migrate/platform.db')} is empty`,
    );
  });
});
