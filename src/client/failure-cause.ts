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
  | 'too_many_open_files'
  | 'no_memory'
  | 'no_free_port'
  | 'connection_forbidden'
  | 'tls'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_wrong_host'
  | 'certificate_self_signed'
  | 'certificate_untrusted'
  | 'certificate_revoked'
  | 'client_certificate_required'
  | 'client_certificate_refused'
  | 'proxy_refused'
  | 'proxy_authentication'
  | 'proxy_unreachable'
  | 'connection_reset'
  | 'connection_failed'
  | `system_${string}`
  | 'headers_timeout'
  | 'body_timeout'
  | 'request_timeout'
  | 'unreadable_answer'
  | 'compressed_answer'
  | 'answer_charset'
  | 'answer_too_large'
  | 'headers_too_large'
  | 'stale_answer'
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
  ['ENETDOWN', 'host_unreachable'],
  ['ETIMEDOUT', 'connect_timeout'],
  // This machine's own, whatever the platform does.
  ['EMFILE', 'too_many_open_files'],
  ['ENFILE', 'too_many_open_files'],
  ['ENOMEM', 'no_memory'],
  ['ENOBUFS', 'no_memory'],
  ['EADDRNOTAVAIL', 'no_free_port'],
  ['EADDRINUSE', 'no_free_port'],
  ['EACCES', 'connection_forbidden'],
  ['EPERM', 'connection_forbidden'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['EPROTO', 'tls'],
  ['UND_ERR_PRX_TLS', 'tls'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['CERT_NOT_YET_VALID', 'certificate_not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_wrong_host'],
  ['HOSTNAME_MISMATCH', 'certificate_wrong_host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
  ['CERT_UNTRUSTED', 'certificate_untrusted'],
  ['CERT_REVOKED', 'certificate_revoked'],
  // Alerts of the server about the certificate of this client, or that there is none.
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client_certificate_required'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'client_certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'client_certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'client_certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'client_certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'client_certificate_refused'],
  ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', 'client_certificate_refused'],
  ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'client_certificate_refused'],
  // A proxy opened no tunnel. Only this has the code: aborted requests have an error of our own.
  ['UND_ERR_ABORTED', 'proxy_refused'],
  // The code of failures on the way to the proxy (open-dispatcher.ts).
  ['PROXY_UNREACHABLE', 'proxy_unreachable'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  ['ENETRESET', 'connection_reset'],
  ['UND_ERR_SOCKET', 'connection_reset'],
  // The connection was closed cleanly before the answer had its stated length.
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection_reset'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers_timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'body_timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers_too_large'],
  ['UND_ERR_CLOSED', 'closed'],
  ['UND_ERR_DESTROYED', 'closed'],
]);

/** OpenSSL's codes for a certificate, and Node's own on TLS. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|HOSTNAME_)/;

/** The system's codes, as of connect(2). */
const systemCode = /^E[A-Z0-9]+$/;

/** undici puts the status with which a proxy refuses a tunnel into the message alone. */
const proxyWantsCredentials = /\b407\b/;

/** The cause for an error of the network or of undici, by its code. */
export function causeOf(error: Error): Cause {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_ABORTED' && proxyWantsCredentials.test(error.message)) return 'proxy_authentication';
  const known = causes.get(code);
  if (known !== undefined) return known;
  if (tlsCode.test(code)) return 'tls';
  if (error instanceof errors.HTTPParserError) return 'unreadable_answer';
  return 'syscall' in error && systemCode.test(code) ? `system_${code}` : 'connection_failed';
}
