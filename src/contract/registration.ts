import { prefix, type Endpoint } from './extra-steps.ts';

/** Registration of meter points, which published contracts have and the interface document does not. Neither request has a body. */
export const registrationEndpoints = {
  meterPointStatuses: {
    number: 111,
    method: 'GET',
    path: `${prefix}/meterpoint-statuses-for-account/{import_supplier_code}/{external_account_number}/`,
    success: [200],
    refusals: [404],
  },
  sendRegistration: {
    number: 112,
    method: 'POST',
    path: `${prefix}/send-registration-flows/{import_supplier_code}/{external_account_number}/`,
    success: [200],
    isExact: true,
    refusals: [400, 404],
  },
} as const satisfies Record<string, Endpoint>;

export type RegistrationEndpointName = keyof typeof registrationEndpoints;
