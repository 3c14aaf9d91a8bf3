import { Option } from '../commander.ts';
import { wholeNumber } from '../options.ts';
import { Usage, type FlagsOf } from '../usage.ts';

export const resolveUsage = () =>
  new Usage('resolve')
    .description(
      'Record your ruling on a step that is uncertain or was refused: it took effect (done), send it again (repeat), or, for process, the account on the platform is not yours (skip); on an account that changed after its import: it was corrected on the platform by hand (corrected); or on accounts that left the export before they were created: they left it on purpose (gone)',
    )
    .example(
      'migrate resolve EXT-000042 --step agreements --as done',
      'migrate resolve EXT-000043 --step process --as skip',
      'migrate resolve EXT-000044 --as corrected',
      'migrate resolve --as gone',
      'migrate resolve --from rulings.csv --dry-run',
    )
    .argument('[account]', 'External account number; or, with a step that the profile adds, its item')
    .option('--step <step>', 'The step; not with corrected and gone')
    .addOption(
      new Option('--as <ruling>', 'The ruling').choices(['done', 'repeat', 'skip', 'corrected', 'gone']),
    )
    .option('--part <n>', 'Only this part of the step, by its number in `migrate show`', wholeNumber(1))
    .option('--number <number>', 'With process and done: the account number that the platform assigned')
    .option(
      '--accounts <file>',
      'Many accounts, or items: a file of external account numbers or of items, one per line',
    )
    .option(
      '--from <file>',
      'Record the rulings in a CSV of `migrate list`: all of them, or none if one is invalid',
    )
    .option('--dry-run', 'With --from: check the file, and change nothing')
    .option('--yes', 'With --from: do not ask for confirmation')
    .option('--supplier <code>', 'Only this import supplier');

export type ResolveFlags = FlagsOf<typeof resolveUsage>;
