import { inMemoryJournal } from './crash/in-memory.ts';
import { crashSuite } from './crash/suite.ts';

const { CRASH_SCHEDULES = '800', CRASH_SEED = '1', CRASH_PATH: path } = process.env;

crashSuite('a migration on the SQLite journal', inMemoryJournal, {
  schedules: Number(CRASH_SCHEDULES),
  seed: Number(CRASH_SEED),
  ...(path === undefined ? {} : { path }),
  tell: (line) => void process.stdout.write(`${line}\n`),
});
