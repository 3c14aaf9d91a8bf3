import { Option } from 'commander';

/** The format of an export's files for which the mapping gives none. */
export const encodingOption = new Option(
  '--encoding <name>',
  'Encoding of files for which the mapping gives none, such as windows-1252; default: detected',
);
export const delimiterOption = new Option(
  '--delimiter <text>',
  'Delimiter of files for which the mapping gives none, such as ";" or \\t; default: detected',
);
