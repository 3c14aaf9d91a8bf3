// Two ways of doing the same, in turn, so that whatever else runs on the machine troubles both alike.

/** Runs both alternately, once to warm up and then so many times; gives the medians, and that of their ratios. */
export async function alternate(pairs, ours, theirs) {
  const measured = [];
  for (let round = -1; round < pairs; round += 1) {
    const first = round % 2 === 0 ? ours : theirs;
    const one = await first();
    const other = await (first === ours ? theirs : ours)();
    if (round >= 0) measured.push(first === ours ? [one, other] : [other, one]);
  }
  return {
    ours: median(measured.map(([one]) => one)),
    theirs: median(measured.map(([, other]) => other)),
    ratio: median(measured.map(([one, other]) => one / other)),
  };
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
