// Takes a lease that nobody gives back, and says what came of it. Arguments: journal file, its own number.
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/journal/sqlite/open-journal.ts';

const [, , file = '', number] = process.argv;
const journal = openJournal(file, { synchronous: 'FULL', create: true });
const owner = { host: 'here', pid: Number(number), processStart: '1' };
const lease = await journal.takeLease({ platform: 'p', supplier: 'S', owner }, 1000, 2000, () => false);
writeSync(1, lease.held ? `held by ${lease.owner.pid}\n` : `taken by ${owner.pid}\n`);
await journal.close();
