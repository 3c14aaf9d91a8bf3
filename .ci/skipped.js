import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Prints which tests did not run here, by file: what they wait for is in their names. Arguments: reports of vitest in JSON. */
let skipped = 0;
for (const report of process.argv.slice(2))
  for (const { name, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const left = assertionResults.filter(({ status }) => status === 'skipped' || status === 'pending');
    if (left.length === 0) continue;
    skipped += left.length;
    console.log(relative(process.cwd(), name));
    for (const { fullName } of left) console.log(`  ${fullName}`);
  }
console.log(skipped === 0 ? 'Every test ran.' : `${skipped} tests did not run here.`);
