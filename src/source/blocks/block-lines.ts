import type { Block, BlockPart } from './block.ts';

type Part = [
  bytes: number,
  lines: number,
  rows: number,
  accounts: number,
  ahead: number,
  next: string | typeof same | typeof none,
];

/** The next row is of the block's first account. */
const same = 1;
/** The file ends. */
const none = 0;

/** A block as one line of text, without its end. */
export function blockLine({ account, digest, parts, printed }: Block): string {
  const written = parts.map(({ bytes, lines, rows, accounts, ahead, next }): Part => {
    const following = next === account ? same : (next ?? none);
    return [bytes, lines, rows, accounts, ahead ?? -1, following];
  });
  return `${JSON.stringify([account, digest ?? none, written])}\t${printed}`;
}

/** The block that `blockLine` wrote. */
export function blockOf(line: string): Block {
  const end = line.indexOf('\t');
  const [account, digest, written] = JSON.parse(line.slice(0, end)) as [string, string | 0, readonly Part[]];
  const parts = written.map(([bytes, lines, rows, accounts, ahead, next]): BlockPart => {
    const following = next === same ? account : next;
    return {
      ...{ bytes, lines, rows, accounts },
      ahead: ahead < 0 ? undefined : ahead,
      next: following === none ? undefined : following,
    };
  });
  return { account, parts, digest: digest === none ? undefined : digest, printed: line.slice(end + 1), line };
}
