/**
 * Why the data of an account differs from what was sent, where that is certain.
 *
 * - `export`: its rows changed, and the mapping did not
 * - `codes`: its rows are the same, and of all that maps them only these code tables changed since this run
 * - `mapping`: its rows are the same, and are mapped in another way
 */
export type ChangeCause =
  | { readonly by: 'export' | 'mapping' }
  | { readonly by: 'codes'; readonly files: readonly string[]; readonly since: number };
