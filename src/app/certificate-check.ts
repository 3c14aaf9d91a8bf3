import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import type { Environment } from './environment.ts';

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Throws CannotStart if the environment makes Node accept any certificate: anybody on the network path could get the
 * token.
 */
export function requireCertificateCheck(env: Environment['env']): void {
  if (env[variable] !== '0') return;
  throw new CannotStart(
    exitCodes.usage,
    `${variable}=0 turns off the check of certificates, so anybody on the network path could read the token and the data. Unset it; for a private certificate authority, set NODE_EXTRA_CA_CERTS.`,
  );
}
