import type { Cell } from '../../domain/cell.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cellAt } from './cell-at.ts';
import { isGap, prefixFindings, type Node } from './run.ts';

/** A field of an object. A constant depends on no record. */
interface FieldNode {
  readonly name: string;
  readonly node: Node;
  readonly isConstant: boolean;
  /** The number of constant elements of an array. */
  readonly constants: number;
}

/**
 * An object of fields, in order; nothing if every field is empty. Constants beside empty columns do not count: a
 * country without an address is not an address. `origin` is the mapping's line that names the object.
 */
export function objectNode(fields: readonly FieldNode[], origin: Cell | undefined): Node {
  const byName = new Map(fields.map(({ name, node }) => [name, node]));
  const isAllConstant = fields.length > 0 && fields.every(({ isConstant }) => isConstant);
  return {
    build(scope) {
      const { run } = scope;
      const object: JsonObject = {};
      let isFilled = isAllConstant;
      const start = run.findings.length;
      for (const { name, node, isConstant, constants } of fields) {
        const before = run.findings.length;
        const value = node.build(scope);
        if (run.findings.length > before) prefixFindings(run, before, name);
        if (value === undefined) continue;
        object[name] = value;
        if (!isConstant && !(Array.isArray(value) && value.length <= constants)) isFilled = true;
      }
      if (isFilled) return object;
      // A field that cannot be read may be filled, so it is not known whether the object is there.
      if (run.findings.slice(start).some((found) => isGap(found) && !found.isList))
        run.findings.push({ isList: false, path: '' });
      return undefined;
    },
    locate(scope, path) {
      const [name, ...rest] = path;
      if (name === undefined) return cellAt(scope.record, '');
      const node = byName.get(name);
      // A field that the mapping does not mention is missing in the mapping, not in the row.
      return node === undefined ? (origin ?? cellAt(scope.record, '')) : node.locate(scope, rest);
    },
  };
}
