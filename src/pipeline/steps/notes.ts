import type { AccountRun } from '../account-run.ts';
import type { RunContext } from '../context.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isJsonObject } from '../../domain/json.ts';
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
    alone: (note) => !hasBody(note),
    policy: (items): PartPolicy => ({
      whenLost: items.every(hasBody) ? 'repeat' : 'uncertain',
      judge: (answer) => (answer.kind === 'ok' ? judge(answer.body) : refusedBy(answer)),
    }),
    takesAgain: true,
  });
}

function hasBody(note: JsonObject): boolean {
  return typeof note['body'] === 'string';
}

const known: ReadonlySet<JsonValue | undefined> = new Set(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']);

function judge(body: JsonValue | undefined): Verdict {
  const results = Array.isArray(body) ? body : [];
  const problems = results.flatMap((item, index) => {
    const status = isJsonObject(item) ? item['status'] : undefined;
    if (known.has(status)) return [];
    const detail = 'The platform answered this note with a status that the interface does not show.';
    return [{ code: 'note_not_created', path: `notes.${index}`, detail, severity: 'error' as const }];
  });
  return problems.length === 0 ? { state: 'done' } : { state: 'refused', code: 'note_not_created', problems };
}
