import { exitCodes } from '../domain/exit-codes.ts';
import { CannotStart } from './cannot-start.ts';
import type { Environment } from './environment.ts';

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** Throws CannotStart where the environment has Node accept any certificate: the token would go to whoever answers. */
export function requireCertificateCheck(env: Environment['env']): void {
  if (env[variable] !== '0') return;
  throw new CannotStart(
    exitCodes.usage,
    `${variable}=0 turns the check of certificates off, so that anybody on the way could take the token and the data. Unset it; name a private authority by NODE_EXTRA_CA_CERTS.`,
  );
}
