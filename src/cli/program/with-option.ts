import { Option } from 'commander';

/** `--with DIR`, as often as there are directories. */
export function withOption(): Option {
  return new Option(
    '--with <dir>',
    "Replace accounts of the export by this directory's; repeatable, the last one wins",
  ).argParser((name: string, before: readonly string[] | undefined) => [...(before ?? []), name]);
}
