import { Option } from 'commander';

/** How the files of an export are written, where neither they nor the mapping say it. */
export const encodingOption = new Option(
  '--encoding <name>',
  'encoding of files for which the mapping states none, such as windows-1252; else it is detected',
);
export const delimiterOption = new Option(
  '--delimiter <text>',
  'what stands between the cells of such files, such as ";" or \\t; else it is detected',
);
