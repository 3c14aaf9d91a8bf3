import type { WireRequest } from '../../../src/client/http-exchange.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import { nameOf } from './accounts.ts';
import { itemPath } from './added-items.ts';
import { empty, json, type HttpReply } from './http.ts';

type Outcome = 'PROCESSED' | 'ERRORED' | 'CANCELLED' | 'FORGOTTEN';

interface Task {
  status: string;
  readonly endsAt: number;
  readonly outcome: Outcome;
}

/** How the tasks of one account end, in their order; after these they are processed. */
export interface Ends {
  readonly takesMs: number;
  readonly outcomes: readonly Outcome[];
}

/** A platform that creates accounts by tasks. Whatever is submitted while a task could still create the account is noted. */
export class TaskPlatform {
  readonly numbers = new Map<string, string>();
  readonly notes = new Map<string, string[]>();
  readonly doubled: string[] = [];
  readonly forgotten = new Set<string>();
  /** How often each item had its effect. */
  readonly items = new Map<string, number>();
  readonly early: string[] = [];
  readonly #tasks = new Map<string, Task>();
  readonly #submissions = new Map<string, number>();
  readonly #ends: readonly Ends[];
  readonly #now: () => number;

  constructor(ends: readonly Ends[], now: () => number) {
    this.#ends = ends;
    this.#now = now;
  }

  answer({ method, path: target, body = '' }: WireRequest): HttpReply {
    this.#settle();
    const sent: unknown = method === 'POST' ? JSON.parse(body.toString()) : {};
    const asked = isJsonObject(sent) ? sent : {};
    if (target.endsWith('/accounts/validate/')) return json(200, {});
    if (target.endsWith('/v2/data-import/accounts/')) return this.#submit(asked);
    if (target.startsWith(itemPath))
      return this.#item(target.slice(itemPath.length, -1), textAt(asked, 'id'));
    if (target.startsWith('/v2/')) return this.#status(target.split('/').at(-2) ?? '');
    if (target.endsWith('/notes/create/')) return this.#addNotes(asked);
    return json(404, { detail: 'No.', code: 'account_not_found', errors: [] });
  }

  /** Recognises an item only where its step relies on that. */
  #item(asked: string, id: string): HttpReply {
    const had = this.items.get(asked === '' ? id : asked) ?? 0;
    if (asked !== '')
      return had > 0 ? json(200, { id: asked }) : json(404, { detail: 'No.', code: 'not_found' });
    if (id.startsWith('repeat') && had > 0) return json(200, { id });
    this.items.set(id, had + 1);
    if (id.endsWith('after') && !this.numbers.has(nameOf(0))) this.early.push(id);
    return json(201, { id });
  }

  #submit({ payload }: JsonObject): HttpReply {
    const account = textAt(payload, 'external_account_number');
    const number = this.numbers.get(account);
    if (number !== undefined)
      return json(400, {
        non_field_errors: { detail: 'No.', code: 'account_import_process_already_imported' },
        account_id: number,
      });
    if (this.#tasks.get(account)?.status === 'PENDING') {
      this.doubled.push(account);
      return empty(201);
    }
    const before = this.#submissions.get(account) ?? 0;
    this.#submissions.set(account, before + 1);
    const ends = this.#ends[Number(account.slice(1))];
    const outcome = ends?.outcomes[before] ?? 'PROCESSED';
    this.#tasks.set(account, { status: 'PENDING', endsAt: this.#now() + (ends?.takesMs ?? 0), outcome });
    return empty(201);
  }

  #settle(): void {
    for (const [account, task] of this.#tasks) {
      if (task.status !== 'PENDING' || task.endsAt > this.#now()) continue;
      task.status = task.outcome;
      if (task.outcome === 'FORGOTTEN') {
        this.#tasks.delete(account);
        this.forgotten.add(account);
      }
      if (task.outcome === 'PROCESSED') this.numbers.set(account, `A-${account}`);
    }
  }

  #status(account: string): HttpReply {
    const task = this.#tasks.get(account);
    if (task === undefined) return json(404, { detail: 'No.', code: 'not_found' });
    return json(200, {
      status: task.status,
      kraken_identifier: task.status === 'PROCESSED' ? (this.numbers.get(account) ?? null) : null,
      latest_error: task.status === 'ERRORED' ? { code: 'unwanted', detail: 'No.', domain: 'd' } : null,
    });
  }

  #addNotes(body: JsonObject): HttpReply {
    const account = textAt(body, 'external_account_number');
    if (!this.numbers.has(account))
      return json(404, { detail: 'No.', code: 'account_not_found', errors: [] });
    const held = this.notes.get(account) ?? [];
    this.notes.set(account, held);
    const statuses = (body['notes'] as JsonObject[]).map((note) => {
      const text = textAt(note, 'body');
      const isKnown = held.includes(text);
      if (!isKnown) held.push(text);
      return { ...note, status: isKnown ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS' };
    });
    return json(201, statuses);
  }
}

function textAt(value: JsonValue | undefined, key: string): string {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : '';
}
