const nobodyThere = /^(dns|connection_refused|connection_failed|host_unreachable|connect_timeout)$/;
const notThePlatform = /^(unreadable_answer|unrecognised_answer|answer_mismatch|(gateway_)?http_[34]\d\d)$/;
const serverError = /^(gateway_)?http_5\d\d$/;
/** A code of the system for which nothing more is known. */
const ofSystem = /^system_(E[A-Z0-9]+)$/;
const ofToken = /^token_(?:http_\d\d\d|error)$/;
/** The target, if the answer named one, follows the cause. */
const redirect = /^(?:gateway_)?http_30[12378](?: to (\S+))?$/;

/** Causes that neither the platform nor the way to it has to do with. */
export const ofThisMachine: ReadonlySet<string> = new Set([
  'too_many_open_files',
  'no_memory',
  'no_free_port',
  'connection_forbidden',
]);

/** What a single cause of the client means, and the remedy. */
const meanings: Readonly<Record<string, string>> = {
  tls: 'no secure connection is possible: the server does not speak TLS, has no version or cipher in common, or requires a certificate of its clients. Check baseUrl; for a certificate, set tls: { cert: FILE, key: FILE } in the profile.',
  too_many_open_files:
    'this machine can open no further connection (EMFILE, ENFILE). Raise the limit of open files (ulimit -n, LimitNOFILE=), or lower --concurrency.',
  no_memory:
    'this machine has no memory left for a connection (ENOMEM, ENOBUFS). Give it more, or lower --concurrency.',
  no_free_port:
    'this machine has no free port for another connection (EADDRNOTAVAIL, EADDRINUSE). Wait a minute, or lower --concurrency.',
  connection_forbidden:
    'this machine does not permit connections to it (EACCES, EPERM). Check its firewall, and the rights of the service (IPAddressDeny=, SELinux).',
  certificate_expired:
    'its certificate has expired. Ask its operator for a new one, and check the clock of this machine.',
  certificate_not_yet_valid:
    'its certificate is not valid yet. Check the clock of this machine, then ask the operator of the platform.',
  certificate_wrong_host:
    'its certificate is for another host. Check the host in baseUrl, and whether a proxy or the DNS leads to another server.',
  certificate_self_signed:
    'its certificate is self-signed. Check baseUrl; if this certificate is right, set NODE_EXTRA_CA_CERTS to its file.',
  certificate_untrusted:
    'its certificate was issued by an authority that this machine does not trust. Set NODE_EXTRA_CA_CERTS to the certificate file of that authority, or ask the operator to send the complete chain.',
  certificate_revoked: 'its certificate was revoked. Ask its operator for a new one.',
  client_certificate_required:
    'it requires a certificate of its clients, and got none. Ask its operator for one, and name it and its key in the profile: tls: { cert: FILE, key: FILE }.',
  client_certificate_refused:
    'it does not accept the certificate of this client. Check tls.cert and its dates, and ask the operator which authority must have signed it.',
  proxy_refused: 'the proxy refuses the connection. Check HTTPS_PROXY, NO_PROXY and the rules of the proxy.',
  proxy_authentication:
    'the proxy requires a user and a password (407), or does not accept those given. Write them into HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT.',
  proxy_unreachable:
    'the proxy does not answer. Check that it is running, and check HTTPS_PROXY and NO_PROXY.',
  compressed_answer:
    'an answer was compressed, though none was asked for, in a way that cannot be read. Turn off compression in the proxy or gateway on the way.',
  answer_charset:
    'an answer is not in UTF-8, as JSON must be. Ask the operator of the platform or gateway to send UTF-8.',
  answer_too_large: 'an answer is larger than any that its interface defines. Check baseUrl and the proxies.',
  headers_too_large:
    'the headers of an answer exceed 16 KiB. Find out which proxy or gateway adds them, and reduce them.',
  http_429: 'it refused requests for their number (429). Ask its operator how many it takes, and set --rate.',
  stale_answer:
    'an answer is older than its request: a cache on the way sent a stored one. Exempt baseUrl from caching.',
};

/** What a cause of the client says about the platform, and the remedy. */
export function unavailability(cause: string): string {
  const known = meanings[cause];
  if (known !== undefined) return known;
  const reported = ofSystem.exec(cause)?.[1];
  if (reported !== undefined)
    return `a connection to it fails: the system of this machine reports ${reported}. Check its network, and baseUrl.`;
  if (ofToken.test(cause))
    return "the token's address does not answer as a token mutation does. Check baseUrl, tokenMutation.path and the proxies; if the answer has an error without a code, check the API key.";
  if (nobodyThere.test(cause)) return 'nothing answers at its address. Check baseUrl and the network.';
  const redirected = redirect.exec(cause);
  if (redirected !== null) return redirection(redirected[1]);
  if (notThePlatform.test(cause))
    return 'it gives answers that its interface does not define. Check baseUrl and the proxies.';
  if (serverError.test(cause)) return 'it answers with errors, or a proxy on the way does. Try again later.';
  return 'it accepts connections but does not answer. Try again later.';
}

/** A redirect is not followed: the token would go to another address. */
function redirection(target: string | undefined): string {
  const where = target === undefined ? 'elsewhere' : `to ${target}`;
  return `its address redirects ${where}. If that is the platform, set baseUrl to it; a login page belongs to a gateway or proxy on the way.`;
}

/** The start of a sentence about a cause for which all accounts of a run wait. */
export function outage(cause: string): string {
  if (cause === 'proxy_unreachable') return 'The proxy does not answer';
  if (ofThisMachine.has(cause) || ofSystem.test(cause)) return 'This machine cannot connect';
  return serverError.test(cause) ? 'The platform answers with errors' : 'The platform does not answer';
}
