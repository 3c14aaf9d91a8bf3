const ofConnections: ReadonlySet<string> = new Set([
  'dns',
  'connection_refused',
  'host_unreachable',
  'connect_timeout',
  'too_many_open_files',
  'no_memory',
  'no_free_port',
  'connection_forbidden',
  'connection_reset',
  'connection_failed',
  'tls',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_wrong_host',
  'certificate_self_signed',
  'certificate_untrusted',
  'certificate_revoked',
  'client_certificate_required',
  'client_certificate_refused',
  'proxy_refused',
  'proxy_authentication',
  'proxy_unreachable',
]);

/** Whether a cause keeps connections from being opened: requests on open ones may be answered all the same. */
export function isOfConnection(cause: string): boolean {
  return ofConnections.has(cause) || cause.startsWith('system_');
}
