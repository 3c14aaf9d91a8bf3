import type { Answer } from '../client/platform-client.ts';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '../domain/json.ts';
import { AnswerValues } from './answer-values.ts';
import { readGraphqlAnswer, type GraphqlAnswer } from './graphql-answer.ts';
import { assembled, type ReadPart } from './assemble-account.ts';
import type { PlatformAccount } from './platform-account.ts';
import { readQueryText, takes, variablesFor, withoutPlaces, type SentQuery } from './query-text.ts';
import { partNames, type PartName, type ReadQuery, type ReadShape } from './read-shape.ts';

/** How requests are made, and waited for. */
export interface QueryWay {
  /** Sends one GraphQL request; undefined: none may be sent any more. */
  readonly post: (body: string) => Promise<Answer<JsonValue> | undefined>;
  readonly discardToken: (tokenId: number) => void;
  /** Waits before the next try; `tries` from 1, `askedMs` is the platform's wish. */
  readonly pause: (tries: number, askedMs: number | undefined) => Promise<void>;
}

export interface ReaderOptions extends QueryWay {
  readonly shape: ReadShape;
  /** The platform's time zone, for times that stand for dates. */
  readonly timeZone?: string | undefined;
  /** How often a request is tried that got no answer, or was throttled. */
  readonly attempts: { readonly unanswered: number; readonly throttled: number };
}

/** What reading an account cost. */
export interface ReadCost {
  readonly requests: number;
  /** One for each field and each item of a page, as platforms count complexity. */
  readonly points: number;
}

export type AccountRead = { readonly cost: ReadCost } & (
  | { readonly kind: 'read'; readonly account: PlatformAccount }
  /** The platform says that it has no such account. */
  | { readonly kind: 'no-account' }
  /** Reading cannot go on: the platform refuses the credentials, does not answer, or wants no more requests now. */
  | {
      readonly kind: 'stopped';
      readonly reason: StopCause;
      readonly detail: string;
    }
);

/** `interrupted`: no more requests may be sent. */
type StopCause = 'credentials' | 'unavailable' | 'throttled' | 'interrupted';

const mostPage = 99;
/** Items of a page beyond those that are expected. */
const spare = 5;
/** Pages of one part; a platform that always has a next one is not followed for ever. */
const mostPages = 2000;
const wrongAnswers = 3;

const tooComplex: ReadonlySet<string> = new Set(['KT-CT-1188', 'KT-CT-1189']);
const throttledCode = 'KT-CT-1199';
const noToken: ReadonlySet<string> = new Set(['KT-CT-1112', 'KT-CT-1124', 'KT-CT-1143']);

/** Reads accounts by the queries of a shape. Sends nothing but queries. */
export class AccountReader {
  readonly #options: ReaderOptions;
  readonly #queries = new Map<string, SentQuery>();
  /** The page that was small enough last, by query. */
  readonly #pages = new Map<string, number>();

  /** Throws an Error that names the query whose text cannot be sent. */
  constructor(options: ReaderOptions) {
    this.#options = options;
    for (const name of usedQueries(options.shape)) {
      const read = readQueryText(options.shape.queries[name]?.text ?? '');
      if ('fault' in read) throw new UnfitQuery(`readBack.queries.${name} ${read.fault}`);
      this.#queries.set(name, read);
    }
  }

  /** `sizes`: how many items of a part are expected, so that a page is no larger than needed. `way`: for this account alone. */
  async read(
    number: string,
    sizes: Partial<Record<PartName, number>> = {},
    way: QueryWay = this.#options,
  ): Promise<AccountRead> {
    const reading = new OneReading(number, sizes, way);
    const parts: Partial<Record<string, ReadPart>> = {};
    const { shape, timeZone } = this.#options;
    for (const [name, query] of this.#queries) {
      const wanted = partNames.filter((part) => shape.parts[part]?.query === name);
      const read = await this.#pagesOf(reading, name, shape.queries[name] as ReadQuery, query, wanted, parts);
      if (read !== 'read') return { ...read, cost: reading.cost };
    }
    const account = assembled(number, parts, { ...shape, timeZone });
    return { kind: 'read', account, cost: reading.cost };
  }

  /** Reads all pages of a query into its parts. */
  async #pagesOf(
    reading: OneReading,
    name: string,
    query: ReadQuery,
    sent: SentQuery,
    wanted: readonly PartName[],
    parts: Partial<Record<string, ReadPart>>,
  ): Promise<'read' | Ended> {
    const { shape } = this.#options;
    let after: string | undefined;
    for (let page = 1; ; page += 1) {
      const answer = await this.#ask(reading, name, query, wanted, after);
      if (answer.kind === 'hidden') {
        for (const part of wanted) parts[part] = { elements: [], hidden: answer.reason };
        return 'read';
      }
      if (answer.kind !== 'answered') return answer;
      let next: string | undefined;
      let [isTold, isFull] = [false, false];
      for (const part of wanted) {
        const place = shape.parts[part];
        if (place === undefined) continue;
        const found = answer.values.elements(place.at, place.next);
        isTold ||= found.isNextTold;
        isFull ||= answer.first !== undefined && found.found.length >= answer.first;
        const before = parts[part];
        const all = [
          ...(before?.elements ?? []),
          ...found.found.map((element) => ({ element, values: answer.values })),
        ];
        parts[part] = { elements: all, hidden: before?.hidden ?? found.hidden };
        next ??= found.next;
      }
      // A full page that does not say whether there is another one may not be all.
      const isCut = isFull && !isTold;
      if (next === undefined && !isCut) return 'read';
      const isPaged = takes(query.variables, sent, '{after}');
      const isStuck = isCut || next === '' || next === after || page >= mostPages || !isPaged;
      if (isStuck) {
        for (const part of wanted) parts[part] = { elements: [], hidden: 'more_pages' };
        return 'read';
      }
      after = next;
    }
  }

  /** One page, however often it has to be asked for. */
  async #ask(
    reading: OneReading,
    name: string,
    query: ReadQuery,
    wanted: readonly PartName[],
    after: string | undefined,
  ): Promise<Asked> {
    const options = this.#options;
    const tries = { unanswered: 0, throttled: 0, wrong: 0, token: 0 };
    for (;;) {
      const sent = this.#queries.get(name) as SentQuery;
      const first = Math.min(this.#pages.get(name) ?? mostPage, reading.pageFor(wanted));
      const body: JsonObject = {
        query: sent.text,
        variables: variablesFor(query.variables, sent, { account: reading.number, first, after }),
      };
      const isPaged = takes(query.variables, sent, '{first}');
      reading.count(sent.fields + (isPaged ? first : 0));
      const answer = await reading.way.post(stringifyJson(body));
      if (answer === undefined) return { kind: 'stopped', reason: 'interrupted', detail: '' };
      const read = answer.kind === 'ok' ? readGraphqlAnswer(answer.body) : undefined;
      if (answer.kind === 'unauthorized') {
        tries.token += 1;
        if (tries.token > 2) return { kind: 'stopped', reason: 'credentials', detail: answer.detail };
        reading.way.discardToken(answer.tokenId);
        continue;
      }
      if (answer.kind === 'throttled' || read?.errors.some(({ code }) => code === throttledCode) === true) {
        tries.throttled += 1;
        if (tries.throttled >= options.attempts.throttled)
          return { kind: 'stopped', reason: 'throttled', detail: throttledCode };
        await reading.way.pause(
          tries.throttled,
          answer.kind === 'throttled' ? answer.retryAfterMs : undefined,
        );
        continue;
      }
      if (read === undefined) {
        tries.unanswered += 1;
        if (tries.unanswered >= options.attempts.unanswered)
          return { kind: 'stopped', reason: 'unavailable', detail: causeOf(answer) };
        await reading.way.pause(tries.unanswered, undefined);
        continue;
      }
      if (read.errors.some(({ code }) => noToken.has(code))) {
        tries.token += 1;
        if (tries.token > 2) return { kind: 'stopped', reason: 'credentials', detail: 'KT-CT-1112' };
        reading.way.discardToken(0);
        continue;
      }
      if (read.errors.some(({ code }) => tooComplex.has(code))) {
        const isSmallest = !isPaged || first === 1;
        if (isSmallest) return { kind: 'hidden', reason: 'too_complex' };
        this.#pages.set(name, Math.floor(first / 2));
        continue;
      }
      if (read.data === undefined) {
        const fitted = withoutPlaces(
          sent,
          read.errors.flatMap(({ places }) => places),
        );
        const isSmaller = fitted !== undefined && fitted.text !== sent.text;
        if (!isSmaller) return { kind: 'hidden', reason: read.errors[0]?.code ?? 'graphql_error' };
        this.#queries.set(name, fitted);
        continue;
      }
      const values = new AnswerValues(read, sent.leftOut);
      const about = aboutAccount(values, query.number, reading.number);
      if (about === 'this') return { kind: 'answered', values, first: isPaged ? first : undefined };
      if (about === 'none')
        return hasErrors(read)
          ? { kind: 'hidden', reason: read.errors[0]?.code ?? '' }
          : { kind: 'no-account' };
      if (about === 'untold') return { kind: 'hidden', reason: 'number_not_told' };
      tries.wrong += 1;
      if (tries.wrong >= wrongAnswers) return { kind: 'hidden', reason: 'answer_mismatch' };
    }
  }
}

/** A query of the configuration that cannot be sent. */
export class UnfitQuery extends Error {}

type Ended =
  | { readonly kind: 'no-account' }
  | {
      readonly kind: 'stopped';
      readonly reason: StopCause;
      readonly detail: string;
    };

type Asked =
  /** `first`: the size of the page that was asked for, if one was. */
  | { readonly kind: 'answered'; readonly values: AnswerValues; readonly first: number | undefined }
  /** Nothing of the query is readable. */
  | { readonly kind: 'hidden'; readonly reason: string }
  | Ended;

class OneReading {
  readonly number: string;
  readonly way: QueryWay;
  readonly #sizes: Partial<Record<PartName, number>>;
  #requests = 0;
  #points = 0;

  constructor(number: string, sizes: Partial<Record<PartName, number>>, way: QueryWay) {
    this.number = number;
    this.way = way;
    this.#sizes = sizes;
  }

  /** A page for what is expected, with room for a little more. */
  pageFor(parts: readonly PartName[]): number {
    const sizes = parts.map((part) => this.#sizes[part]);
    return sizes.includes(undefined)
      ? mostPage
      : Math.min(mostPage, Math.max(...(sizes as number[])) + spare);
  }

  count(points: number): void {
    this.#requests += 1;
    this.#points += points;
  }

  get cost(): ReadCost {
    return { requests: this.#requests, points: this.#points };
  }
}

/** The queries that some part needs, in the order of the parts. */
function usedQueries(shape: ReadShape): ReadonlySet<string> {
  return new Set(partNames.flatMap((part) => shape.parts[part]?.query ?? []));
}

/** Which account an answer is about. */
function aboutAccount(
  values: AnswerValues,
  place: string,
  number: string,
): 'this' | 'another' | 'none' | 'untold' {
  const names = place.split('.');
  const last = names.pop() ?? '';
  const { found } = values.elements(names.join('.'));
  const [element] = found;
  if (element === undefined) return 'none';
  if (found.length > 1) return 'another';
  const said = values.text(element, last);
  if (said.kind !== 'present') return 'untold';
  return said.value === number ? 'this' : 'another';
}

function hasErrors({ errors }: GraphqlAnswer): boolean {
  return errors.length > 0;
}

function causeOf(answer: Answer<JsonValue>): string {
  if ('cause' in answer) return answer.cause;
  return answer.kind === 'ok' || !isJsonObject(answer) ? 'unreadable_answer' : answer.kind;
}
