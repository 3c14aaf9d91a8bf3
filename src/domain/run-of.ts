/** Whether a run may have driven accounts of a supplier on a platform; a run without a supplier took all of its export. */
export function isRunOf(
  run: { readonly platform: string; readonly supplier?: string | undefined },
  of: { readonly platform: string; readonly supplier: string },
): boolean {
  return run.platform === of.platform && (run.supplier === undefined || run.supplier === of.supplier);
}
