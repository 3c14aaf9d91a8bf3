import type * as typed from '@commander-js/extra-typings';

/** commander, with types that derive a command's arguments and flags from their declarations. */
export {
  Argument,
  Command,
  CommanderError,
  Help,
  InvalidArgumentError,
  Option,
} from '@commander-js/extra-typings';

/** Any command, whatever its arguments and flags are. */
export type AnyCommand = typed.CommandUnknownOpts;
export type AnyOption = AnyCommand['options'][number];
