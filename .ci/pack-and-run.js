// Packs the project, installs the tarball into an empty directory and runs the tool there.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';
const project = dirname(dirname(fileURLToPath(import.meta.url)));
const work = mkdtempSync(join(tmpdir(), 'packed-'));
const user = join(work, 'user');

/** Runs a program to its end, and returns what it printed; Windows starts npm and npx by a shell. */
function ran(program, args, cwd = user) {
  const shell = isWindows && /^np[mx]$/.test(program);
  // A shell takes a path with a blank for two.
  const given = shell ? args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)) : args;
  return execFileSync(program, given, { cwd, shell, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function required(isSound, fault) {
  if (!isSound) throw new Error(fault);
}

function pack() {
  const name = ran('npm', ['pack', '--silent', '--pack-destination', work], project)
    .trim()
    .split('\n')
    .at(-1);
  const shipped =
    /^package\/(?:(?:bin|completions|dist|docs|types)\/|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|\.migraterc\.example)$)/;
  const files = ran('tar', ['-tzf', name], work).trim().split(/\r?\n/);
  const superfluous = files.filter((file) => !shipped.test(file));
  required(
    superfluous.length === 0,
    `The package holds what a user does not need:\n${superfluous.join('\n')}`,
  );
  return join(work, name);
}

function install(tarball) {
  mkdirSync(user);
  copyFileSync(join(project, '.npmrc'), join(user, '.npmrc'));
  ran('npm', ['init', '--yes']);
  ran('npm', ['install', '--silent', tarball]);
  const compiled = readdirSync(join(user, 'node_modules'), { encoding: 'utf8', recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\/build\/Release\/.*\.node$/.test(file) && !file.includes('better-sqlite3/'));
  required(compiled.length === 0, `Compiled parts beside the journal: ${compiled.join(' ')}`);
  const everywhere = join(work, 'global');
  ran('npm', ['install', '--silent', '--global', '--ignore-scripts', '--prefix', everywhere, tarball]);
  if (isWindows) return;
  const page = statSync(join(everywhere, 'share/man/man1/migrate.1'), { throwIfNoEntry: false });
  required((page?.size ?? 0) > 0, 'No manual page in the package');
}

function use() {
  const tool = (...args) => ran('npx', ['migrate', ...args]);
  process.stdout.write(tool('--version'));
  tool('help', 'guarantees');
  const completion = tool('completion', 'bash');
  required(
    isWindows || spawnSync('bash', ['-n'], { input: completion }).status === 0,
    'bash does not take the completion',
  );
  tool('generate', 'export', '--accounts', '30', '--seed', '7');
  tool('validate', 'export');
  tool('run', 'export');
  const { accounts } = JSON.parse(tool('run', 'export', '--json').trim().split('\n').at(-1));
  required(accounts.completed === 30, `The second run says ${JSON.stringify(accounts)}`);
  process.stdout.write(tool('status', '--supplier', 'TENTACLE_ENERGY'));
}

/** The same from a program. */
function embed() {
  ran('npm', ['pkg', 'set', 'type=module']);
  writeFileSync(
    join(user, 'embedding.ts'),
    `import { runMigration, type RunEnding } from 'account-migrate';

const ending: RunEnding = await runMigration({ export: 'export', dryRun: true });
console.log(ending.accounts.completed);
`,
  );
  const modules = join(project, 'node_modules');
  ran(process.execPath, [
    ...[join(modules, 'typescript/bin/tsc'), 'embedding.ts', '--strict', '--target', 'es2022'],
    ...['--module', 'nodenext', '--types', 'node', '--typeRoots', join(modules, '@types')],
  ]);
  const completed = ran(process.execPath, ['embedding.js']).trim();
  required(completed === '30', `The program counts ${completed} completed accounts`);
}

try {
  install(pack());
  use();
  embed();
  console.log('pack-and-run: passed');
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
