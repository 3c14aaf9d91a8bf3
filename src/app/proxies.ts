import type { Proxies } from '../client/open-dispatcher.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import type { Environment } from './environment.ts';

/** In order of precedence; the interface uses https. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The proxies for an address; this machine is reached without one. Throws CannotStart. */
export function proxiesTo(baseUrl: string, env: Environment['env']): Proxies | undefined {
  if (isLoopback(baseUrl)) return undefined;
  const variable = variables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const noProxy = env['no_proxy'] || env['NO_PROXY'];
  return {
    proxy: proxyAddress(variable, env[variable] ?? ''),
    noProxy,
  };
}

/** The address may contain a password, so it is never repeated. */
function proxyAddress(variable: string, text: string): string {
  const address = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new CannotStart(
    exitCodes.usage,
    `${variable} is not the address of a proxy. Write it as http://proxy.example:3128, or unset it.`,
  );
}

export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}
