import { ExactNumber, type JsonValue } from '../../domain/json.ts';

/** Whether a text of a payload matches; apart from `visitTexts`, because of nearly every payload none does. */
export function someText(value: JsonValue, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  if (Array.isArray(value)) return value.some((item) => someText(item, pattern));
  for (const name in value) if (someText(value[name] ?? null, pattern)) return true;
  return false;
}

/** Visits each text of a payload with the path to it. */
export function visitTexts(
  value: JsonValue,
  visit: (text: string, trail: readonly (string | number)[]) => void,
  trail: (string | number)[] = [],
): void {
  if (typeof value === 'string') {
    visit(value, trail);
    return;
  }
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, item] of entries) {
    trail.push(name);
    visitTexts(item, visit, trail);
    trail.pop();
  }
}
