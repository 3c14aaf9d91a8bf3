/** The id of the platform whose state is in this file; undefined where there is no such file yet. */
export function readPlatformId(_stateFile: string): string | undefined {
  return undefined;
}
