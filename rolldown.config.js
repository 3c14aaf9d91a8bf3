// Builds dist/: our own code, in few files. To find and to open some hundred files takes longer than most commands do.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** What a user installs beside the tool. */
const installed = Object.keys({ ...dependencies, ...peerDependencies });

/** What the benchmarks call without a command line. */
const measured = readdirSync('test/bench')
  .map((file) => readFileSync(`test/bench/${file}`, 'utf8'))
  .flatMap((text) => [...text.matchAll(/'\.\.\/\.\.\/dist\/(.+)\.js'/g)].map(([, name]) => name));

const entries = ['cli/main', 'api/index', 'app/plan-worker/thread', 'cli/man-page/write', ...measured];

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

export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  external: installed.map((name) => new RegExp(`^${name}(/|$)`)),
  platform: 'node',
  plugins: [noLibraries],
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
          test: /src\/(domain(?!\/(safe-pattern|text-shape))|app\/(system|cannot-start|format-problem)|contract\/rule-codes|report\/(paragraph|format|json-records|place)|journal\/journal\.ts|source\/places\/address)\b/,
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
