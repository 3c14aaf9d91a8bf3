/** The columns of the file that `migrate list --csv` writes and `migrate resolve --from` reads. */
export const rulingColumns = [
  'account',
  'supplier',
  'state',
  'code',
  'step',
  'part',
  'part_state',
  'cells',
  'words',
  'sent_at',
  'attempts',
  'ruling',
  'number',
] as const;

export type RulingColumn = (typeof rulingColumns)[number];
