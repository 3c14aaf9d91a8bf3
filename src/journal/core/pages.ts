/** The number of rows that is read at a time: of accounts, of runs and commands, of a whole book, and of spellings. */
export const pageSizes = { accounts: 200, history: 100, book: 5_000, spellings: 1_000 };

/** Streams the rows of a query page by page: each begins after the last row of the one before; a short page is the last. */
export async function* paged<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const page = await read(last);
    yield* page;
    last = page.at(-1);
    if (page.length < size) return;
  }
}
