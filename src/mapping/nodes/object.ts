import type { JsonObject } from '../../domain/json.ts';
import { cellAt } from './cell-at.ts';
import { prefixFindings, type Node } from './run.ts';

/** An object of fields, in order; nothing where every field is empty. */
export function objectNode(fields: readonly (readonly [name: string, node: Node])[]): Node {
  const byName = new Map(fields);
  return {
    build(scope) {
      const { run } = scope;
      let object: JsonObject | undefined;
      for (const [name, node] of fields) {
        const before = run.findings.length;
        const value = node.build(scope);
        if (run.findings.length > before) prefixFindings(run, before, name);
        if (value !== undefined) (object ??= {})[name] = value;
      }
      return object;
    },
    locate(scope, path) {
      const [name, ...rest] = path;
      const node = name === undefined ? undefined : byName.get(name);
      return node === undefined ? cellAt(scope.record, '') : node.locate(scope, rest);
    },
  };
}
