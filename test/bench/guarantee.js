// What the guarantee costs: accounts per second of the pipeline with its journal, against the same without one.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stepNames } from '../../dist/domain/steps.js';
import { writeBook } from './book.js';
import { alternate, median } from './pairs.js';
import { program, startTarget } from './processes.js';

const measures = [
  { what: 'all nine steps', steps: stepNames },
  { what: 'validate, stage, process', steps: stepNames.slice(0, 3) },
];
const reaches = { FULL: 0.7, NORMAL: 0.85 };

export async function guarantee({ accounts, pairs, directory: cwd }) {
  const book = join(cwd, 'book');
  await writeBook(book, accounts, 'ndjson');
  const target = await startTarget();
  const rate = async (steps, synchronous, cpu) => {
    const journal = join(cwd, 'journal');
    rmSync(journal, { recursive: true, force: true });
    mkdirSync(journal);
    const args = [target.url, book, steps.join(), synchronous, join(journal, 'journal.db')];
    const { said } = await program('guarantee-run.js', args, { cwd });
    const driven = said.accounts.completed + said.accounts.imported;
    if (driven !== accounts || said.requests !== accounts * steps.length)
      throw new Error(`${driven} of ${accounts} accounts were driven, with ${said.requests} requests`);
    cpu.push((said.cpuSeconds / accounts) * 1e6);
    return accounts / said.seconds;
  };
  try {
    const rows = [];
    for (const { what, steps } of measures)
      for (const [synchronous, reach] of Object.entries(reaches)) {
        const cpu = { ours: [], theirs: [] };
        const result = await alternate(
          pairs,
          () => rate(steps, synchronous, cpu.ours),
          () => rate(steps, 'none', cpu.theirs),
        );
        rows.push({
          measure: `${what}, journal ${synchronous}`,
          against: 'the same with no journal',
          unit: 'accounts/s',
          ...result,
          reach: `>= ${reach}`,
          isReached: result.ratio >= reach,
          notes: {
            ourCpuMicrosecondsEach: median(cpu.ours),
            theirCpuMicrosecondsEach: median(cpu.theirs),
          },
        });
      }
    return rows;
  } finally {
    await target.stop();
  }
}
