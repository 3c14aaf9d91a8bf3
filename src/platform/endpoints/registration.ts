import type { AccountKey } from '../../domain/account-key.ts';
import { isJsonObject, numberText, parseJson, type JsonValue } from '../../domain/json.ts';
import { platformTime, type PlatformContext } from '../platform-context.ts';
import { answer } from '../reply.ts';
import type { PathEndpoint } from './endpoint.ts';

/** The words of this platform: published contracts have some fifty. */
const words = { before: 'PRE_REGISTRATION', after: 'REGISTRATION_REQUESTED' } as const;

/** The meter points of an account with their statuses. */
export const meterPointStatuses: PathEndpoint = {
  description: { summary: 'The statuses of the meter points of an account', statuses: ['404'] },
  answer(key, context) {
    const found = accountOf(key, context);
    if (found === undefined || found.meterPoints.length === 0)
      return answer(404, { error: 'There are no meter points of this account.' });
    const markedAt = context.store.markedAt(found.number);
    const { delayMs } = context.operator().registration;
    const isMoved = markedAt !== undefined && platformTime(context) >= markedAt + delayMs;
    const status = isMoved ? words.after : words.before;
    return answer(
      200,
      found.meterPoints.map((mpxn) => ({ mpxn, status })),
    );
  },
};

/** Marks the meter points of an account for registration: their statuses move after the operator's `registration.delayMs`. */
export const sendRegistration: PathEndpoint = {
  description: { summary: 'Mark the meter points of an account for registration', statuses: ['404'] },
  answer(key, context) {
    const found = accountOf(key, context);
    if (found === undefined || found.meterPoints.length === 0)
      return answer(404, { error_detail: 'There are no meter points of this account.' });
    const refused = new Set(context.operator().registration.refuse);
    const marked = found.meterPoints.filter((mpxn) => !refused.has(mpxn));
    if (marked.length > 0) context.store.markForRegistration(found.number, platformTime(context));
    return answer(200, {
      external_account_number: key.account,
      import_supplier_code: key.supplier,
      meter_points: found.meterPoints.map((mpxn) =>
        refused.has(mpxn)
          ? { mpxn, status: 'REGISTRATION_FLOW_ERROR', error_detail: 'It cannot be registered.' }
          : { mpxn, status: 'REGISTRATION_FLOW_SUCCESS', error_detail: '' },
      ),
    });
  },
};

/** undefined if the account was not created. */
function accountOf(
  key: AccountKey,
  { store }: PlatformContext,
): { readonly number: number; readonly meterPoints: readonly string[] } | undefined {
  const found = store.findAccount(key);
  if (typeof found?.number !== 'number') return undefined;
  return {
    number: found.number,
    meterPoints: [...new Set(identifiersIn(parseJson(store.readPayload(found.processId))))],
  };
}

/** Where the interface, and published contracts, have the meter points of a supply address. */
const places: ReadonlySet<string> = new Set(['supply_points', 'meter_points']);

function identifiersIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(identifiersIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!places.has(name) || !Array.isArray(inner)) return identifiersIn(inner);
    return inner.flatMap((point) => {
      const own = isJsonObject(point) ? (point['mpxn'] ?? point['identifier']) : undefined;
      return own === undefined ? [] : (numberText(own) ?? []);
    });
  });
}
