import type { PayloadProblem } from '../../domain/problem.ts';
import type { ContractField } from './contract-field.ts';

/** Problems in the order of the contract's fields, and of the elements of arrays; unknown fields come last. */
export function inContractOrder(
  problems: readonly PayloadProblem[],
  root: ContractField,
): readonly PayloadProblem[] {
  if (problems.length < 2) return problems;
  const placed = problems.map((problem) => ({ problem, place: placeOf(problem.path, root) }));
  return placed.toSorted((one, other) => compared(one.place, other.place)).map(({ problem }) => problem);
}

function placeOf(path: string, root: ContractField): readonly number[] {
  const place: number[] = [];
  let at: ContractField | undefined = root;
  for (const name of path === '' ? [] : path.split('.')) {
    if (at?.element !== undefined && /^\d+$/.test(name)) {
      place.push(Number(name));
      at = at.element;
      continue;
    }
    const names: readonly string[] = [...(at?.fields.keys() ?? [])];
    const index = names.indexOf(name);
    place.push(index < 0 ? Infinity : index);
    at = at?.fields.get(name) ?? at?.others;
  }
  return place;
}

function compared(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((index, at) => index !== other[at]);
  if (differs < 0) return one.length - other.length;
  const [left = 0, right = -1] = [one[differs], other[differs]];
  return left < right ? -1 : 1;
}
