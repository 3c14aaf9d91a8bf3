// Builds dist/: our own code, in few files. To find and to open some hundred files takes longer than most commands do.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** What a user installs beside the tool. */
const installed = Object.keys({ ...dependencies, ...peerDependencies });

/** What the benchmarks call without a command line. */
const measured = readdirSync('test/bench')
  .map((file) => readFileSync(`test/bench/${file}`, 'utf8'))
  .flatMap((text) => [...text.matchAll(/'\.\.\/\.\.\/dist\/(.+)\.js'/g)].map(([, name]) => name));

const entries = [
  'cli/main',
  'api/index',
  'run/worker/thread',
  'run/threads/account-thread',
  'cli/man-page/write',
  ...measured,
];

/** An audit of the installed package must see every library that runs. */
const noLibraries = {
  name: 'no-libraries',
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle)) {
      const library = moduleIds.find((id) => id.includes('/node_modules/'));
      if (library !== undefined)
        this.error(`${library} is bundled. Name it in dependencies of package.json.`);
    }
  },
};

/** What a build says about itself: the commit, where it has one, and a digest of its sources. */
const buildRecord = {
  name: 'build-record',
  generateBundle() {
    const digest = createHash('sha256');
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    for (const name of sources.sort()) digest.update(name).update(readFileSync(`src/${name}`));
    const record = { commit: commit(), sources: digest.digest('hex').slice(0, 16) };
    this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify(record) });
  },
};

/** The commit, with `-changed` if the files differ from it; undefined outside of a checkout. */
function commit() {
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // The files of a package that lie in somebody's repository are not its commit.
    if (git('rev-parse', '--show-prefix') !== '') return undefined;
    const isChanged =
      git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'package.json') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? '-changed' : ''}`;
  } catch {
    return undefined;
  }
}

export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  external: installed.map((name) => new RegExp(`^${name}(/|$)`)),
  platform: 'node',
  plugins: [noLibraries, buildRecord],
  output: {
    dir: 'dist',
    cleanDir: true,
    comments: { jsdoc: false },
    chunkFileNames: 'shared/[name].js',
    codeSplitting: {
      // What is loaded together is one file: these modules, and all that they import and no group above has.
      groups: [
        // What every command loads, and no library that it can start without.
        {
          name: 'domain',
          test: /src\/(domain(?!\/(safe-pattern|text-shape))|host\/|run\/reading\/(format-problem|cannot-read)|contract\/rule-codes|report\/(paragraph|format|json-records|place)|journal\/journal\.ts|source\/places\/address)\b/,
        },
        // What both threads of a run have, so that the one that reads loads nothing of the command line.
        {
          name: 'shared',
          test: /src\/sqlite\/[\w-]+\.ts$/,
        },
        { name: 'start', test: /src\/cli\/run-program\.ts$/ },
        { name: 'command', test: /src\/(cli\/conclude|report\/table)\.ts$/ },
        { name: 'journal', test: /src\/(journal\/journal-at|cli\/recorded-suppliers)\.ts$/ },
      ],
    },
  },
});
