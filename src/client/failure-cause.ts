import { errors } from 'undici';

/**
 * Why a request has no answer: stable short codes, for counting and for decisions. They contain nothing of the
 * request or of the answer.
 */
export type Cause =
  | 'dns'
  | 'connection_refused'
  | 'host_unreachable'
  | 'connect_timeout'
  | 'tls'
  | 'proxy_refused'
  | 'proxy_unreachable'
  | 'connection_reset'
  | 'connection_failed'
  | 'headers_timeout'
  | 'body_timeout'
  | 'request_timeout'
  | 'unreadable_answer'
  | 'aborted'
  | 'closed'
  | `http_${number}`;

const causes: ReadonlyMap<string, Cause> = new Map([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'connection_refused'],
  ['EHOSTUNREACH', 'host_unreachable'],
  ['ENETUNREACH', 'host_unreachable'],
  ['EHOSTDOWN', 'host_unreachable'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['EPROTO', 'tls'],
  ['UND_ERR_PRX_TLS', 'tls'],
  // A proxy opened no tunnel. Only this has the code: aborted requests have an error of our own.
  ['UND_ERR_ABORTED', 'proxy_refused'],
  // The code of failures on the way to the proxy (open-dispatcher.ts).
  ['PROXY_UNREACHABLE', 'proxy_unreachable'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['UND_ERR_SOCKET', 'connection_reset'],
  // The connection was closed cleanly before the answer had its stated length.
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_reset'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers_timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'body_timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'unreadable_answer'],
  ['UND_ERR_CLOSED', 'closed'],
  ['UND_ERR_DESTROYED', 'closed'],
]);

/** OpenSSL's codes for a certificate, and Node's own on TLS. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|HOSTNAME_)/;

/** The cause for an error of the network or of undici, by its code; its message is ignored. */
export function causeOf(error: Error): Cause {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = causes.get(code);
  if (known !== undefined) return known;
  if (tlsCode.test(code)) return 'tls';
  return error instanceof errors.HTTPParserError ? 'unreadable_answer' : 'connection_failed';
}
