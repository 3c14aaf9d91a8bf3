import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** This prefix and the file's position, before the `#`, mark references of files other than the first. */
const filePrefix = 'contract-file:';

const referenceForm = new RegExp(`^(?:${filePrefix}(\\d+))?#(.*)$`);

/** The reference to a member of what a reference leads to. */
export function within(reference: string, name: string | number): string {
  const escaped = String(name).replaceAll('~', '~0').replaceAll('/', '~1');
  return `${reference}/${encodeURIComponent(escaped)}`;
}

/** The position of the file that a reference leads into, and the names on the way; undefined for another document. */
export function readReference(
  reference: string,
): { readonly file: number; readonly names: readonly string[] } | undefined {
  const [, file = '0', pointer] = referenceForm.exec(reference) ?? [];
  if (pointer === undefined) return undefined;
  const names = pointer
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return { file: Number(file), names };
}

/** A per cent sign that encodes nothing stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The reference to the root of the file at a position. */
export function rootOf(file: number): string {
  return file === 0 ? '#' : `${filePrefix}${file}#`;
}

/** A discriminator's mapping names a schema by its reference, or by its bare name. */
export function schemaReference(reference: JsonValue | undefined, file = 0): string {
  if (typeof reference !== 'string') return '';
  return /^[\w.-]+$/.test(reference) ? `${rootOf(file)}/components/schemas/${reference}` : reference;
}

/** Makes the references in the document of a further file lead into that file. */
export function leadInto(file: number, document: JsonValue): void {
  // An alias of YAML is the very same object in several places.
  const seen = new Set<JsonValue>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    Object.values(value).forEach(visit);
    if (!isJsonObject(value)) return;
    const { $ref: reference, discriminator } = value;
    if (typeof reference === 'string' && reference.startsWith('#'))
      value['$ref'] = `${rootOf(file)}${reference.slice(1)}`;
    const mapping = isJsonObject(discriminator) ? discriminator['mapping'] : undefined;
    if (!isJsonObject(mapping)) return;
    for (const [tag, target] of Object.entries(mapping)) {
      const named = schemaReference(target, file);
      mapping[tag] = named.startsWith('#') ? `${rootOf(file)}${named.slice(1)}` : named;
    }
  };
  visit(document);
}
