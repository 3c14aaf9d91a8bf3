// Reads every CSV file of a directory with csv-parse and nothing else.
//   node csv-parse-alone.js DIRECTORY
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse';

const [directory] = process.argv.slice(2);
let rows = 0;
for (const file of readdirSync(directory))
  for await (const row of createReadStream(join(directory, file)).pipe(parse()))
    rows += row.length > 0 ? 1 : 0;
console.log(JSON.stringify({ rows }));
