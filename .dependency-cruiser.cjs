/** The components (folders) of src/ and the imports that are allowed between them. docs/architecture.md draws them: change both together. */
const rooms = {
  domain: [],
  sqlite: ['domain'],
  contract: ['domain'],
  source: ['domain', 'sqlite'],
  mapping: ['domain', 'contract'],
  client: ['domain', 'contract'],
  conformance: ['domain', 'contract', 'client'],
  'read-back': ['domain', 'contract'],
  journal: ['domain', 'sqlite'],
  pipeline: ['domain', 'contract'],
  platform: ['domain', 'contract', 'sqlite'],
  generate: ['domain'],
  report: ['domain'],
  telemetry: ['domain'],
  dashboard: ['domain', 'report'],
  config: ['domain'],
};
rooms.host = ['domain'];

/** Assembles components into a run, for the command line and for the library. */
rooms.run = Object.keys(rooms).filter(
  (room) => !['platform', 'generate', 'conformance', 'dashboard'].includes(room),
);

rooms.api = ['domain', 'run', 'host', 'config', 'cli'];

/** Files of a component that show only its types, or its state's id, and who may look at them. */
const typesOf = {
  mapping: ['src/source/export\\.ts$'],
  pipeline: [
    'src/mapping/plan\\.ts$',
    'src/client/platform-client\\.ts$',
    'src/journal/(journal|run-groups)\\.ts$',
  ],
  run: ['src/platform/platform-id\\.ts$'],
  host: ['src/config/credentials\\.ts$', 'src/journal/journal\\.ts$', 'src/report/(printer|progress)\\.ts$'],
  telemetry: ['src/pipeline/run/run-events\\.ts$'],
  api: ['src/pipeline/run/run-events\\.ts$', 'src/report/ending\\.ts$'],
  report: ['src/journal/(journal|run-groups)\\.ts$', 'src/pipeline/run/run-(events|figures)\\.ts$'],
  'read-back': ['src/client/platform-client\\.ts$'],
  dashboard: ['src/journal/journal\\.ts$'],
};

/** Each third-party library has one owner component. */
const owners = {
  'big\\.js': 'domain',
  'lossless-json': 'domain',
  'fastest-levenshtein': 'domain',
  re2js: 'domain',
  'better-sqlite3': 'sqlite',
  // One reads exports with it, the other keeps a journal.
  pg: '(journal|source)',
  'libphonenumber-js': 'contract',
  ajv: 'contract',
  'ajv-formats': 'contract',
  'csv-parse': 'source',
  'p-limit': 'source',
  mysql2: 'source',
  hyparquet: 'source',
  'hyparquet-compressors': 'source',
  '@aws-sdk/client-s3': 'source',
  // One answers queries, the other reads the configured ones.
  graphql: '(platform|read-back)',
  sax: 'source',
  yauzl: 'source',
  yazl: 'source',
  'csv-stringify': 'report',
  undici: 'client',
  'cli-progress': 'report',
  'cli-table3': 'report',
  chalk: 'report',
  'string-width': 'report',
  pino: 'telemetry',
  'rotating-file-stream': 'telemetry',
  'prom-client': 'telemetry',
  '@opentelemetry/api': 'telemetry',
  marked: 'report',
  '@commander-js/extra-typings': 'cli',
};

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files must not import each other in a circle. Move what both need to a file of its own.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'No file imports this one. Import it or delete it.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^bin/'] },
      to: {},
    },
    {
      name: 'light-start',
      comment: 'Every command loads this file. Load the rules with import() in the function that needs them.',
      severity: 'error',
      // Every command loads the former; the rules and what they know of the world's telephones take long to load.
      from: { path: '^src/cli/conclude\\.ts$' },
      to: { path: '^src/contract/rules/', reachable: true },
    },
    {
      name: 'journal-engines',
      comment: 'Import src/journal/journal.ts or store.ts. journal-at.ts alone opens an engine.',
      severity: 'error',
      // One place knows which engines there are; the others see a journal (journal.ts) and its store (store.ts).
      from: { path: '^src/', pathNot: '^src/journal/(sqlite/|postgres/|journal-at\\.ts$)' },
      to: { path: '^src/journal/(sqlite|postgres)/' },
    },
    {
      name: 'engines-apart',
      comment: 'One engine must not import the other. Move what both need to src/journal/.',
      severity: 'error',
      from: { path: '^src/journal/(sqlite|postgres)/' },
      to: { path: '^src/journal/(sqlite|postgres)/', pathNot: '^src/journal/$1/' },
    },
    {
      name: 'no-unresolved',
      comment: 'Nothing is at this path. Correct the import, or run npm ci.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'The package is installed without this library. Move it to "dependencies" in package.json.',
      severity: 'error',
      from: { path: '^src' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        // The optional peers are installed here for the tests.
        pathNot: 'node_modules/(@opentelemetry/sdk-node|mysql2|@aws-sdk/client-s3)/',
      },
    },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `room-${room}`,
      comment:
        `${room} may import ${allowed.join(', ') || 'no other component'}. To allow more, change "rooms" or "typesOf" ` +
        'in .dependency-cruiser.cjs and the picture in docs/architecture.md.',
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: [`^src/(${[room, ...allowed].join('|')})/`, ...(typesOf[room] ?? [])] },
    })),
    ...Object.entries(owners).map(([library, owner]) => ({
      name: `owner-of-${library.replaceAll('\\', '')}`,
      comment: `Only src/${owner} may import it. Use what that component exports, or change "owners" in .dependency-cruiser.cjs.`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${owner}/` },
      to: { path: `node_modules/(@types/)?${library}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
