import { Option } from 'commander';

/** `--with DIR`, as often as there are directories. */
export function withOption(): Option {
  return new Option(
    '--with <dir>',
    "take this directory's accounts in place of the same accounts of the export; repeatable, the last one wins",
  ).argParser((name: string, before: readonly string[] | undefined) => [...(before ?? []), name]);
}
