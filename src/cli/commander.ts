import type * as typed from '@commander-js/extra-typings';
import * as commander from 'commander';

/** commander, with types that derive a command's arguments and flags from their declarations. */
export const { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } =
  commander as unknown as typeof typed;

/** Any command, whatever its arguments and flags are. */
export type AnyCommand = typed.CommandUnknownOpts;
export type AnyOption = AnyCommand['options'][number];
