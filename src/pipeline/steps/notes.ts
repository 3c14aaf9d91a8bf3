import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartPolicy, Verdict } from '../part.ts';
import type { Settings } from '../settings.ts';
import type { ItemsStep } from './item-list.ts';

/**
 * Adds the notes (endpoint 8). The platform matches body and created_at, so a repeat finds existing notes
 * (NOTE_ALREADY_EXISTS); a note without a body cannot be matched and is left to a person.
 */
export function notes({ requestSizes }: Pick<Settings, 'requestSizes'>): ItemsStep {
  return {
    kind: 'items',
    step: 'notes',
    endpoint: 'notes',
    array: 'notes',
    size: requestSizes.notes,
    isAlone: (note) => !hasBody(note),
    marks: { coreOf },
    isLike: (note, other) => note['body'] === other['body'],
    isRecognised: hasBody,
    policy: (sent): PartPolicy => ({
      get namesNothing() {
        // Those without a body are sent alone.
        return sent.count === 1 && !sent.items.every(hasBody);
      },
      get whenLost() {
        return sent.items.every(hasBody) ? 'repeat' : 'uncertain';
      },
      get isRecognised() {
        return sent.count > 1 || sent.items.every(hasBody);
      },
      get bearsWitness() {
        return sent.count > 1 || sent.items.every(hasBody);
      },
      isSeveral: sent.count > 1,
      read: (body) => read(body, sent.count),
      provesOurs: ({ problems }) =>
        problems.length > 0 && problems.every(({ code }) => code === alreadyExists),
    }),
  };
}

/**
 * The platform distinguishes notes by these two. Those without a body cannot be distinguished from each
 * other.
 */
function coreOf({ body, created_at: at }: JsonObject): string {
  return typeof body === 'string' ? stringifyJson([body, at ?? null]) : '';
}

function hasBody(note: JsonObject): boolean {
  return typeof note['body'] === 'string';
}

const alreadyExists = 'NOTE_ALREADY_EXISTS';
const known: ReadonlySet<JsonValue | undefined> = new Set(['NOTE_CREATION_SUCCESS', alreadyExists]);

/** Every note must have its own result that says that it exists; a tenancy's own answer has none. */
function read(body: JsonValue | undefined, count: number): Verdict {
  if (body === undefined) return { state: 'done' };
  const results = Array.isArray(body) ? body : [];
  const problems: PayloadProblem[] = [];
  for (let index = 0; index < count; index += 1) {
    const result = results[index];
    if (known.has(isJsonObject(result) ? result['status'] : undefined)) continue;
    const detail = "The platform's answer for this note has no status that the interface defines.";
    problems.push({ code: 'note_not_created', path: `notes.${index}`, detail, severity: 'error' });
  }
  if (problems.length > 0) return { state: 'refused', code: 'note_not_created', problems };
  const existed = [...results.entries()]
    .filter(([, result]) => isJsonObject(result) && result['status'] === alreadyExists)
    .map(([index]) => index);
  return { state: 'done', existed };
}
