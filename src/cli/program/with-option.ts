import { RepeatableOption } from '../repeatable-option.ts';

/** `--with DIR`, as often as there are directories. */
export function withOption(): RepeatableOption {
  return new RepeatableOption(
    '--with <dir>',
    "Replace accounts of the export by this directory's; repeatable, the last one wins",
  );
}
