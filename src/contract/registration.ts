import { z } from 'zod';
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

const meterPoint = z.looseObject({ mpxn: z.string().min(1), status: z.string().min(1) });

/** The meter points of an account with their statuses; published examples have the list in a list. */
export const meterPointStatusesAnswer = z
  .array(z.union([meterPoint, z.array(meterPoint)]))
  .transform((list) => list.flat());

/** An account that has no meter points, with 404. */
export const noMeterPointsAnswer = z.looseObject({ error: z.string().min(1) });

/** What registration has marked, meter point by meter point. */
export const registrationAnswer = z.looseObject({
  external_account_number: z.string(),
  import_supplier_code: z.string(),
  meter_points: z.array(
    z.looseObject({
      mpxn: z.string().min(1),
      status: z.enum(['REGISTRATION_FLOW_SUCCESS', 'REGISTRATION_FLOW_ERROR']),
      error_detail: z.string().nullish(),
    }),
  ),
});
