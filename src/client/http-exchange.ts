import type { Dispatcher } from 'undici';
import type { BaseUrl } from './base-url.ts';
import { BodyDecoder, isEncoded } from './body-decoder.ts';
import { causeOf, type Cause } from './failure-cause.ts';
import { overdue } from './deadlines.ts';
import { forget, whenAborted, type Stoppable } from './when-aborted.ts';

/** The result of one request on the wire, before the platform's answer is interpreted. */
export type HttpExchange =
  | Reply
  /** Not one byte of the request was written. */
  | { readonly kind: 'not-sent'; readonly cause: Cause }
  /** It was written, at least in part, and no status came back. */
  | { readonly kind: 'no-reply'; readonly cause: Cause };

/** The headers of an answer, by their names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers that matter, as they were sent. */
interface Head {
  /** The Retry-After header. */
  readonly retryAfter?: string | undefined;
  /** The Content-Type header. */
  readonly mediaType?: string | undefined;
  /** The Location header. */
  readonly location?: string | undefined;
  /** The Age header. */
  readonly age?: string | undefined;
  /** The Date header. */
  readonly date?: string | undefined;
  /** All of them. */
  readonly headers?: ReplyHeaders | undefined;
}

export interface Reply extends Head {
  readonly kind: 'reply';
  readonly status: number;
  /** The part of the body that was kept: nothing if it went to `take`. */
  readonly body: Buffer;
  /** Why the body is incomplete; absent if it is complete. */
  readonly fault?: Cause;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, encoded. */
  readonly path: string;
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  /** Serialised JSON, as text or in UTF-8. */
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives the body of a 2xx as it arrives, instead of keeping it; false stops, because it is not what was
   * expected.
   */
  readonly take?: ((chunk: Buffer) => boolean) | undefined;
  /** The most bytes that `take` receives. */
  readonly mostTaken?: number | undefined;
}

/** The longest body that is kept, decoded, in bytes. */
const longestBody = 16 * 1024 * 1024;

/** Where requests go, and who sends them. */
export interface ExchangeTarget extends Pick<BaseUrl, 'origin'>, Partial<Pick<BaseUrl, 'pathPrefix'>> {
  /** The User-Agent header. */
  readonly userAgent?: string | undefined;
}

/**
 * Sends one request, once. Network failures are values; the promise rejects only with what `take` throws.
 *
 * Whether the request left is known for certain: undici announces a request (onRequestStart) when a connection, with
 * TLS, is open, and writes its first byte directly afterwards. A request that failed before that was not sent; one
 * that failed later may have been, whatever the error's code. undici repeats nothing after that point: with
 * pipelining 1 the running request is the only one on its connection, and fails with it.
 */
export function httpExchange(
  dispatcher: Dispatcher,
  { origin, pathPrefix = '', userAgent }: ExchangeTarget,
  request: WireRequest,
): Promise<HttpExchange> {
  const { method, authorization, body, signal } = request;
  if (signal?.aborted === true) return Promise.resolve({ kind: 'not-sent', cause: abortCause(signal) });
  const path = `${pathPrefix}${request.path}`;
  const headers = ['accept', 'application/json', 'accept-encoding', 'identity', 'cache-control', 'no-cache'];
  if (userAgent !== undefined) headers.push('user-agent', userAgent);
  if (body !== undefined) headers.push('content-type', 'application/json');
  if (authorization !== undefined) headers.push('authorization', authorization);
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, method, path, headers, body: body ?? null },
      new ExchangeHandler(request, resolve, reject),
    );
  });
}

/** The reason why this signal aborted a request. */
export function abortCause(signal: AbortSignal | undefined): Cause {
  return signal?.reason === overdue ? 'request_timeout' : 'aborted';
}

class ExchangeHandler implements Dispatcher.DispatchHandler, Stoppable {
  readonly #signal: AbortSignal | undefined;
  readonly #take: WireRequest['take'];
  readonly #mostTaken: number;
  readonly #resolve: (exchange: HttpExchange) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  /** Set once the request is being written. */
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #head: Head = {};
  #decoder: BodyDecoder | undefined;
  #stoppedBy: Cause | undefined;

  constructor(
    request: WireRequest,
    resolve: (exchange: HttpExchange) => void,
    reject: (error: unknown) => void,
  ) {
    this.#take = request.take;
    this.#mostTaken = request.mostTaken ?? Infinity;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = request.signal;
    whenAborted(this.#signal, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It was aborted while it waited for a connection: this is the last moment to keep it from being written.
    if (this.#stoppedBy === undefined) this.#controller = controller;
    else controller.abort(new Error(this.#stoppedBy));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim answer (1xx) is followed by the real one.
    if (status < 200) return;
    this.#status = status;
    this.#head = {
      retryAfter: firstOf(headers['retry-after']),
      mediaType: firstOf(headers['content-type']),
      location: firstOf(headers['location']),
      age: firstOf(headers['age']),
      date: firstOf(headers['date']),
      headers,
    };
    const encoding = [headers['content-encoding'] ?? []].flat().join();
    if (isEncoded(encoding)) this.#decode(encoding, controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === undefined) this.#receive(chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    // Nothing is left to abort.
    this.#controller = undefined;
    if (this.#decoder === undefined) this.#settle(this.#reply());
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#decoder?.drop();
    const cause = this.#stoppedBy ?? causeOf(error);
    if (this.#controller === undefined) this.#settle({ kind: 'not-sent', cause });
    else if (this.#status === 0) this.#settle({ kind: 'no-reply', cause });
    else this.#settle({ ...this.#reply(), fault: cause });
  }

  /** The signal was aborted. */
  stop(): void {
    const cause = abortCause(this.#signal);
    this.#stop(cause);
    // It still waits for a connection: undici has nothing to stop yet, and would not report it.
    if (this.#controller === undefined) this.#settle({ kind: 'not-sent', cause });
  }

  /** Answers are asked for without compression; a proxy may compress them all the same. */
  #decode(encoding: string, controller: Dispatcher.DispatchController): void {
    this.#decoder = new BodyDecoder(encoding, {
      data: (chunk) => this.#receive(chunk),
      drained: () => controller.resume(),
      ended: (isSound) => {
        if (isSound) this.#settle(this.#reply());
        else this.#spoil('compressed_answer');
      },
    });
  }

  #receive(chunk: Buffer): void {
    this.#size += chunk.length;
    const take = this.#status < 300 ? this.#take : undefined;
    if (this.#size > (take === undefined ? longestBody : this.#mostTaken)) this.#spoil('answer_too_large');
    else if (take === undefined) this.#chunks.push(chunk);
    else this.#pass(chunk, take);
  }

  /** The rest of the answer is of no use. */
  #spoil(cause: Cause): void {
    this.#stop(cause);
    this.#decoder?.drop();
    this.#settle({ ...this.#reply(), fault: cause });
  }

  #pass(chunk: Buffer, take: (chunk: Buffer) => boolean): void {
    try {
      if (!take(chunk)) this.#spoil('unreadable_answer');
    } catch (error) {
      this.#reject(error);
      this.#stop('aborted');
    }
  }

  #stop(cause: Cause): void {
    this.#stoppedBy ??= cause;
    this.#controller?.abort(new Error(cause));
  }

  #reply(): Reply {
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    return { kind: 'reply', status: this.#status, body, ...this.#head };
  }

  #settle(exchange: HttpExchange): void {
    forget(this.#signal, this);
    this.#resolve(exchange);
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
