/**
 * How accounts are imported: staged and then processed (the interface, v1), or by a task that the platform runs within
 * a window (v2, which published contracts have).
 */
export const importKinds = ['v1', 'v2'] as const;

export type ImportKind = (typeof importKinds)[number];
