/** The name that is meant: the identical one, otherwise the only one that differs in case alone. */
export function spelledAs(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const folded = name.toLowerCase();
  const [found, ...others] = names.filter((candidate) => candidate.toLowerCase() === folded);
  return others.length === 0 ? found : undefined;
}
