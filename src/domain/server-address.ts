/** Names of parameters whose values are secret. */
const secretName = /pass|pwd|secret|token|credential/i;

/** Whether the address of a database contains a password, in either of the two ways. */
export function holdsPassword({ password, searchParams }: URL): boolean {
  return password !== '' || [...searchParams.keys()].some((key) => secretName.test(key));
}

/** Whether a text has the form of a list of parameters, with a password among them. */
export function holdsSecret(text: string): boolean {
  return [...text.matchAll(/([\w.-]+)\s*=/g)].some(([, key = '']) => secretName.test(key));
}

/**
 * What is wrong with `postgres://[user@]host[:port]/database[?parameters]`: a sentence that never repeats the address; undefined
 * if it has this form. `password`: it contains one, or what may be a part of one.
 */
export function serverAddressFault(address: string): string | undefined {
  const [authority = ''] = address.slice(address.indexOf('://') + 3).split(/[/?#]/);
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  const rest = address.slice(address.indexOf('://') + 3 + authority.length);
  // A password with @, /, ? or # in it ends the authority early.
  if (/:|%3a/i.test(user) || rest.includes('@')) return 'password';
  if (/\s/.test(address)) return 'It contains a blank: write %20';
  if (authority.includes(','))
    return 'It names several hosts: name one that always leads to the primary server, such as a virtual address, a DNS name or a proxy. A run waits while the server is replaced';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) return 'It has another form: check host and port';
  if (holdsPassword(url)) return 'password';
  if (url.hash !== '') return 'It contains #: write %23';
  if (!/^\/[^/]+$/.test(url.pathname)) return 'It must name one database after the host';
  if (!isDecodable(url)) return 'It contains % without two hexadecimal digits: write %25';
  return undefined;
}

function isDecodable({ username, hostname, pathname }: URL): boolean {
  try {
    for (const part of [username, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
