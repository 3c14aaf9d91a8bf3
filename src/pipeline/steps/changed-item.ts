import { parseDecimal } from '../../domain/decimal.ts';
import { numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';

/**
 * What differs between an item of the export and the one that was sent with its id. The journal keeps a fingerprint of
 * what was sent, so a form of the item that has that fingerprint is what was sent; the platform's echo helps to find it.
 */
export interface ChangedItem {
  /** The members that are not as they were sent. */
  readonly members: readonly string[];
  /** The item as it was sent; undefined if nothing shows its form: then something that cannot be named changed. */
  readonly sent: JsonObject | undefined;
}

/**
 * Compares an item with what was sent.
 *
 * @param echoed what the platform says that it has
 * @param wasSent whether an item was sent in exactly this form
 * @param moved a member that the platform may change by itself
 */
export function changeOf(
  item: JsonObject,
  echoed: JsonObject,
  wasSent: (item: JsonObject) => boolean,
  moved?: string,
): ChangedItem {
  const others = Object.keys(item).filter((name) => name !== 'amount' && isOther(item[name], echoed[name]));
  const ownMove = others.filter((name) => name !== moved);
  for (const members of [[], others, ownMove]) {
    const restored = { ...item };
    for (const name of members) restored[name] = echoed[name] ?? null;
    const sent = notations(restored, echoed).find(wasSent);
    if (sent !== undefined) return { members, sent };
  }
  return { members: [], sent: undefined };
}

/** The item with its amount in the forms that an earlier export or mapping may have given it. */
function notations(item: JsonObject, echoed: JsonObject): JsonObject[] {
  const { amount } = item;
  const decimal = parseDecimal(numberText(amount) ?? '');
  if (amount === undefined || decimal === undefined) return [item];
  const forms = [decimal.toFixed(), decimal.toFixed(1), decimal.toFixed(2), echoed['amount'] ?? amount];
  return [item, ...forms.map((form) => ({ ...item, amount: form }))];
}

/** By their texts: a reference may look like a number. */
function isOther(ours: JsonValue | undefined, theirs: JsonValue | undefined): boolean {
  const [own, other] = [textOf(ours), textOf(theirs)];
  return own !== undefined && other !== undefined && own !== other;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'boolean' ? String(value) : numberText(value);
}
