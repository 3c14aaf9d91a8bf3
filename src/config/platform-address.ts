import { z } from 'zod';

/**
 * Checks a platform's base address: scheme, host, port, and a path if a gateway puts one before the interface's paths
 * (section 1). Plain http is allowed for this machine only, because the token would be sent unencrypted. Returns the
 * address in normal form, without a slash at its end.
 */
export const platformAddress = z.string({ error: 'must be an address' }).transform((address, context) => {
  const fault = addressFault(address);
  if (fault === undefined) return `${new URL(address).origin}${pathOf(new URL(address))}`;
  context.addIssue({ code: 'custom', message: fault });
  return z.NEVER;
});

function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be an address such as https://api.example.com';
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password; set MIGRATE_API_KEY instead';
  if (url.search !== '' || url.hash !== '')
    return 'must end after its path; the tool adds the paths of the interface';
  if (/\/v\d+(\/|$)/.test(pathOf(url)))
    return 'must end before /v1/; the tool adds the paths of the interface';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must use https: plain http is allowed for this machine only (localhost, 127.0.0.0/8, [::1])';
  return undefined;
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

/** `hostname` as URL gives it: IPv4 as four numbers, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
