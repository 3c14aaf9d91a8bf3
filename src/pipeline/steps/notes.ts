import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import { refusedBy, type PartPolicy, type Verdict } from '../part.ts';
import { deliverItems } from './items.ts';
import type { StepResult } from './step-result.ts';

/**
 * Adds the notes (endpoint 8). The platform matches body and created_at, so a repeat finds what is there
 * (NOTE_ALREADY_EXISTS); a note without a body has nothing to be matched on and is left to a person.
 */
export function notes(context: RunContext, run: AccountRun): Promise<StepResult> {
  return deliverItems(context, run, {
    step: 'notes',
    endpoint: 'notes',
    array: 'notes',
    size: context.settings.requestSizes.notes,
    isAlone: (note) => !hasBody(note),
    isRecognised: hasBody,
    policy: (items): PartPolicy => ({
      whenLost: items.every(hasBody) ? 'repeat' : 'uncertain',
      judge: (answer) => (answer.kind === 'ok' ? judge(answer.body, items.length) : refusedBy(answer)),
    }),
  });
}

function hasBody(note: JsonObject): boolean {
  return typeof note['body'] === 'string';
}

const known: ReadonlySet<JsonValue | undefined> = new Set(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']);

/** Every note must have a result of its own that says that it is there. */
function judge(body: JsonValue | undefined, count: number): Verdict {
  const results = Array.isArray(body) ? body : [];
  const problems: PayloadProblem[] = [];
  for (let index = 0; index < count; index += 1) {
    const result = results[index];
    if (known.has(isJsonObject(result) ? result['status'] : undefined)) continue;
    const detail = 'The platform did not answer for this note with a status that the interface shows.';
    problems.push({ code: 'note_not_created', path: `notes.${index}`, detail, severity: 'error' });
  }
  return problems.length === 0 ? { state: 'done' } : { state: 'refused', code: 'note_not_created', problems };
}
