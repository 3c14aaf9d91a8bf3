const configured: ReadonlySet<string> = new Set([
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_wrong_host',
  'certificate_self_signed',
  'certificate_untrusted',
  'certificate_revoked',
  'client_certificate_required',
  'client_certificate_refused',
  'proxy_authentication',
]);

/** Whether a cause lasts until somebody changes a certificate or a setting, so that waiting is of no use. */
export function needsPerson(cause: string): boolean {
  return configured.has(cause);
}
