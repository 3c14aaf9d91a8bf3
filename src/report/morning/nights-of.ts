const hourMs = 3_600_000;
/** A run that begins within this time of the next one is of its night. */
const oneNightMs = 12 * hourMs;
/** Runs around the clock are of several nights. */
const longestNightMs = 20 * hourMs;

/** Groups runs into nights. `runs`, the nights and the runs of each: newest first. */
export function nightsOf<Run extends { readonly startedAt: number }>(runs: readonly Run[]): readonly Run[][] {
  const nights: Run[][] = [];
  for (const run of runs) {
    const night = nights.at(-1);
    const [newest, next] = [night?.[0], night?.at(-1)];
    const isOfNight =
      newest !== undefined &&
      next !== undefined &&
      next.startedAt - run.startedAt < oneNightMs &&
      newest.startedAt - run.startedAt < longestNightMs;
    if (isOfNight) night?.push(run);
    else nights.push([run]);
  }
  return nights;
}
