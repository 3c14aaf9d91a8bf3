import type { Config } from '../../config/load-config.ts';

export type RehearsalSettings = Partial<
  Pick<Config, 'contract' | 'strictContract' | 'operator' | 'team' | 'rules' | 'import' | 'steps'>
>;

/**
 * The flags of `migrate serve` for a rehearsal. Without an operator file, the embedded platform knows the suppliers and the team
 * of the run, and refuses nothing that the run's rules allow: what it refuses is then a fault of the data.
 */
export function rehearsalFlags({
  contract = [],
  strictContract = false,
  operator,
  team,
  rules = {},
  import: importKind,
  steps,
}: RehearsalSettings): readonly string[] {
  const shape = [
    ...contract.flatMap((file) => ['--contract', file]),
    ...(strictContract ? ['--strict-contract'] : []),
    ...(importKind === 'v2' ? ['--extended'] : []),
    ...(steps === undefined ? [] : ['--steps', JSON.stringify(steps)]),
  ];
  if (operator !== undefined) return [...shape, '--operator', operator];
  const allowed = Object.entries(rules).filter(([, level]) => level !== 'error');
  return [
    ...shape,
    ...['--set', 'otherSuppliers=Ongoing'],
    // Empty: the tenancy allocates teams itself.
    ...(team === undefined || team === '' ? [] : ['--set', `teams=${JSON.stringify([team])}`]),
    ...(allowed.length === 0 ? [] : ['--set', `rules=${JSON.stringify(Object.fromEntries(allowed))}`]),
  ];
}
