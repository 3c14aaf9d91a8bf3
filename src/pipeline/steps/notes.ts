import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { PartPolicy, Verdict } from '../request/part.ts';
import type { Settings } from '../settings.ts';
import { changedAfterImport } from '../../domain/shared-codes.ts';
import { changeOf } from './changed-item.ts';
import type { ItemsStep } from './items-step.ts';
import type { RequestItems } from './sent-items.ts';
import { changedProblem } from './recorded-parts.ts';

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
      read: (body) => read(body, sent),
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
const created = 'NOTE_CREATION_SUCCESS';

/** Every note must have its own result that says that it exists; a tenancy's own answer has none. */
function read(body: JsonValue | undefined, sent: RequestItems): Verdict {
  if (body === undefined) return { state: 'done' };
  const results = Array.isArray(body) ? body : [];
  const problems: PayloadProblem[] = [];
  const existed: number[] = [];
  for (let index = 0; index < sent.count; index += 1) {
    const result = results[index];
    const status = isJsonObject(result) ? result['status'] : undefined;
    if (status === alreadyExists) {
      existed.push(index);
      problems.push(...changes(sent, index, result));
    } else if (status !== created) problems.push(notCreated(index));
  }
  const [first] = problems;
  if (first === undefined) return { state: 'done', existed };
  const isConflict = problems.every(({ code }) => code === changedAfterImport);
  return { state: 'refused', code: first.code, problems, isConflict };
}

/** The platform keeps a note that it has as it is: what changed in it since it was sent does not arrive. */
function changes(sent: RequestItems, index: number, result: JsonValue | undefined): PayloadProblem[] {
  const item = sent.items[index];
  if (item === undefined || sent.likeness(item) !== 'same-core') return [];
  const path = `notes.${index}`;
  const change = changeOf(item, isJsonObject(result) ? result : {}, (form) => sent.wasSent(form));
  if (change.sent === undefined) return [changedProblem(path)];
  return change.members.map((name) => changedProblem(`${path}.${name}`));
}

function notCreated(index: number): PayloadProblem {
  const detail = "The platform's answer for this note has no status that the interface defines.";
  return { code: 'note_not_created', path: `notes.${index}`, detail, severity: 'error' };
}
