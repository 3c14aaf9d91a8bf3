import type { Answer } from '../client/platform-client.ts';
import { isJsonObject, stringifyJson, type JsonValue } from '../domain/json.ts';
import { AnswerValues } from './answer-values.ts';
import { readGraphqlAnswer, type GraphqlAnswer } from './graphql-answer.ts';
import { assembled, type ReadPart } from './assemble-account.ts';
import type { PlatformAccount } from './platform-account.ts';
import {
  pagedPaths,
  pageVariables,
  readQueryText,
  takes,
  variablesFor,
  withoutPlaces,
  type Cursor,
  type SentQuery,
} from './query-text.ts';
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
/** Tokens that may be refused, one after another. */
const refusedTokens = 3;

const tooComplex: ReadonlySet<string> = new Set(['KT-CT-1188', 'KT-CT-1189']);
const throttledCode = 'KT-CT-1199';
const throttledCodes: ReadonlySet<string> = new Set([throttledCode]);
const noToken: ReadonlySet<string> = new Set(['KT-CT-1112', 'KT-CT-1124', 'KT-CT-1143']);

/** Reads accounts by the queries of a shape. Sends nothing but queries. */
export class AccountReader {
  readonly #options: ReaderOptions;
  readonly #queries = new Map<string, SentQuery>();
  /** The parts whose lists come in pages. */
  readonly #paged: ReadonlySet<PartName>;
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
    this.#paged = new Set(partNames.filter((part) => isPaged(options.shape, part, this.#queries)));
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
    let after: Cursor | undefined;
    for (let page = 1; ; page += 1) {
      const answer = await this.#ask(reading, name, query, wanted, after);
      if (answer.kind === 'hidden') {
        for (const part of wanted) parts[part] = { elements: [], hidden: answer.reason };
        return 'read';
      }
      if (answer.kind !== 'answered') return answer;
      let next: Cursor | undefined;
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
        // A page that does not say whether there is another one may not be all, however few it has.
        const isOpen = this.#paged.has(part) && !found.isNextTold && found.found.length > 0;
        const hidden = before?.hidden ?? found.hidden ?? (isOpen ? 'more_pages' : undefined);
        parts[part] = { elements: all, hidden };
        next ??= found.next;
      }
      const isCut = isFull && !isTold;
      if (next === undefined && !isCut) return 'read';
      const follows = takes(query.variables, sent, '{after}');
      const isSame = next !== undefined && stringifyJson(next) === stringifyJson(after ?? null);
      const isStuck = isCut || next === '' || isSame || page >= mostPages || !follows;
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
    after: Cursor | undefined,
  ): Promise<Asked> {
    const tries = new Map<Cause, number>();
    for (;;) {
      const sent = this.#queries.get(name) as SentQuery;
      const size = Math.min(this.#pages.get(name) ?? mostPage, reading.pageFor(wanted));
      const first = takes(query.variables, sent, '{first}') ? size : undefined;
      const variables = variablesFor(query.variables, sent, { account: reading.number, first: size, after });
      reading.count(sent.fields + (first ?? 0));
      const answer = await reading.way.post(stringifyJson({ query: sent.text, variables }));
      const asked = this.#means(answer, reading.number, { name, query, sent, first });
      if (asked.kind !== 'again') return asked;
      const ended = await this.#beforeNext(asked, tries, reading.way);
      if (ended !== undefined) return ended;
    }
  }

  /** What an answer says, or why its page is asked for again. */
  #means(answer: Answer<JsonValue> | undefined, number: string, page: AskedPage): Asked | Again {
    if (answer === undefined) return { kind: 'stopped', reason: 'interrupted', detail: '' };
    if (answer.kind === 'unauthorized')
      return { kind: 'again', cause: 'token', detail: answer.detail, tokenId: answer.tokenId };
    if (answer.kind === 'throttled')
      return { kind: 'again', cause: 'throttled', detail: throttledCode, askedMs: answer.retryAfterMs };
    const read = answer.kind === 'ok' ? readGraphqlAnswer(answer.body) : undefined;
    if (read === undefined) return { kind: 'again', cause: 'unanswered', detail: causeOf(answer) };
    return this.#refused(read, page) ?? answered(read, number, page);
  }

  /** What the errors of an answer say; undefined if it has something to be read. */
  #refused(read: GraphqlAnswer, { name, sent, first }: AskedPage): Asked | Again | undefined {
    const has = (codes: ReadonlySet<string>): boolean => read.errors.some(({ code }) => codes.has(code));
    if (has(throttledCodes)) return { kind: 'again', cause: 'throttled', detail: throttledCode };
    if (has(noToken)) return { kind: 'again', cause: 'token', detail: 'KT-CT-1112', tokenId: 0 };
    if (has(tooComplex)) {
      if (first === undefined || first === 1) return { kind: 'hidden', reason: 'too_complex' };
      this.#pages.set(name, Math.floor(first / 2));
      return { kind: 'again', cause: 'fitted', detail: '' };
    }
    if (read.data !== undefined) return undefined;
    const places = read.errors.flatMap((error) => error.places);
    const fitted = withoutPlaces(sent, places);
    if (fitted === undefined || fitted.text === sent.text)
      return { kind: 'hidden', reason: read.errors[0]?.code ?? 'graphql_error' };
    this.#queries.set(name, fitted);
    return { kind: 'again', cause: 'fitted', detail: '' };
  }

  /** Prepares the next try; or how it ends after too many. */
  async #beforeNext(
    { cause, detail, tokenId = 0, askedMs }: Again,
    tries: Map<Cause, number>,
    way: QueryWay,
  ): Promise<Asked | undefined> {
    const { attempts } = this.#options;
    const count = 1 + (tries.get(cause) ?? 0);
    tries.set(cause, count);
    switch (cause) {
      case 'fitted':
        return undefined;
      case 'wrong':
        return count < wrongAnswers ? undefined : { kind: 'hidden', reason: 'answer_mismatch' };
      case 'token':
        if (count >= refusedTokens) return { kind: 'stopped', reason: 'credentials', detail };
        way.discardToken(tokenId);
        return undefined;
      case 'throttled':
      case 'unanswered': {
        const reason = cause === 'throttled' ? 'throttled' : 'unavailable';
        if (count >= attempts[cause]) return { kind: 'stopped', reason, detail };
        await way.pause(count, askedMs);
        return undefined;
      }
    }
  }
}

/** A page that was asked for. `first`: its size, if it has one. */
interface AskedPage {
  readonly name: string;
  readonly query: ReadQuery;
  readonly sent: SentQuery;
  readonly first: number | undefined;
}

/** Why a page is asked for again: `fitted`, because the query was made smaller; `wrong`, because it was about another account. */
type Cause = 'token' | 'throttled' | 'unanswered' | 'wrong' | 'fitted';

interface Again {
  readonly kind: 'again';
  readonly cause: Cause;
  readonly detail: string;
  readonly tokenId?: number;
  readonly askedMs?: number | undefined;
}

/** What an answer with data says about the account. */
function answered(read: GraphqlAnswer, number: string, { query, sent, first }: AskedPage): Asked | Again {
  const values = new AnswerValues(read, sent.leftOut);
  switch (aboutAccount(values, query.number, number)) {
    case 'this':
      return { kind: 'answered', values, first };
    case 'none':
      return hasErrors(read)
        ? { kind: 'hidden', reason: read.errors[0]?.code ?? '' }
        : { kind: 'no-account' };
    case 'untold':
      return { kind: 'hidden', reason: 'number_not_told' };
    case 'another':
      return { kind: 'again', cause: 'wrong', detail: '' };
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

/** Whether the list of a part lies in what its query asks for in pages. */
function isPaged(
  { parts, queries }: ReadShape,
  part: PartName,
  read: ReadonlyMap<string, SentQuery>,
): boolean {
  const place = parts[part];
  const sent = place && read.get(place.query);
  if (place === undefined || sent === undefined) return false;
  const variables = pageVariables(queries[place.query]?.variables ?? {});
  return pagedPaths(sent.document, variables).some((path) => `${place.at}.`.startsWith(`${path}.`));
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
