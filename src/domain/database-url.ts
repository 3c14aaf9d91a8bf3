/** Whether the address of a database contains a password, in either of the two ways. */
export function holdsPassword({ password, searchParams }: URL): boolean {
  return password !== '' || searchParams.has('password');
}
