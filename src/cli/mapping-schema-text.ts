import { readFile } from 'node:fs/promises';
import { packaged } from '../host/packaged.ts';
import { mappingSchema } from '../mapping/mapping-schema.ts';
import type { PayloadShape } from '../mapping/payload-shape.ts';

/** The JSON Schema of mapping files with these fields, for editors; its descriptions are those of the guide. */
export async function mappingSchemaText(shape: PayloadShape): Promise<string> {
  const guide = await readFile(packaged('docs/mapping.md'), 'utf8');
  return `${JSON.stringify(mappingSchema(guide, shape), null, 2)}\n`;
}
