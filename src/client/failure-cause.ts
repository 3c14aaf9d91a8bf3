import { errors } from 'undici';

/**
 * Why a request has no answer: short codes that stay as they are, for counting and for choosing what to do.
 * None holds anything of the request or of the answer.
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
  // A proxy opened no tunnel. Nothing else has this code: what is aborted here is aborted with an error of our own.
  ['UND_ERR_ABORTED', 'proxy_refused'],
  // Given to whatever fails on the way to the proxy (open-dispatcher.ts).
  ['PROXY_UNREACHABLE', 'proxy_unreachable'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['UND_ERR_SOCKET', 'connection_reset'],
  // The connection was closed in good order before the answer was as long as it said.
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_reset'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers_timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'body_timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'unreadable_answer'],
  ['UND_ERR_CLOSED', 'closed'],
  ['UND_ERR_DESTROYED', 'closed'],
]);

/** OpenSSL's verdicts on a certificate, and Node's own on TLS. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|HOSTNAME_)/;

/** The cause that an error of the network or of undici stands for, by its code; its message is never looked at. */
export function causeOf(error: Error): Cause {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = causes.get(code);
  if (known !== undefined) return known;
  if (tlsCode.test(code)) return 'tls';
  return error instanceof errors.HTTPParserError ? 'unreadable_answer' : 'connection_failed';
}
