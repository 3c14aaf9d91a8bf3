import { Option } from 'commander';

/**
 * An option that may be given several times, each time with one value; what is parsed is the list of them. (A variadic
 * option of the library would also take the words that follow its value.)
 */
export class RepeatableOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, description);
    this.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
}
