import type { Endpoint } from './extra-steps.ts';
import { accountPayload } from './schemas/account.ts';
import { object, optional, type ValueOf } from './schemas/schema.ts';
import { boolean, text } from './schemas/fields.ts';

/** Scheduled account import (v2), which published contracts have and the interface document does not. */
const prefix = '/v2/data-import/accounts';

const taskParams = object({
  is_dry_run: optional(boolean),
  schedule_window_start: optional(text()),
  schedule_window_end: optional(text()),
});

const validateBody = object({ payload: accountPayload });
const scheduleBody = object({ payload: accountPayload, task_params: taskParams });

export type TaskParams = ValueOf<typeof taskParams>;

/** Its endpoints. The account payload of the first two is the field `payload` of their bodies. */
export const scheduledEndpoints = {
  scheduleValidate: {
    number: 101,
    method: 'POST',
    path: `${prefix}/validate/`,
    request: validateBody,
    success: [200],
    mayBeEmpty: true,
    refusals: [400],
  },
  schedule: {
    number: 102,
    method: 'POST',
    path: `${prefix}/`,
    request: scheduleBody,
    success: [201],
    isExact: true,
    mayBeEmpty: true,
    refusals: [400],
  },
  scheduleStatus: {
    number: 103,
    method: 'GET',
    path: `${prefix}/{import_supplier_code}/{external_identifier}/`,
    success: [200],
    refusals: [404],
  },
} as const satisfies Record<string, Endpoint>;

export type ScheduledEndpointName = keyof typeof scheduledEndpoints;

/** Whether an endpoint's body has the account payload as its field `payload`. */
export function wrapsPayload(name: string): boolean {
  return name === 'scheduleValidate' || name === 'schedule';
}

/** What a refused submission says; the particulars are what validate answers. */
export const failedValidationCode = 'import_process_failed_validation';

/** Four days: a window that ends later is refused. */
export const furthestWindowMs = 4 * 24 * 3_600_000;
