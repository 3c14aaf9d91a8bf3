import type { AccountSpec, Item } from './accounts.ts';
import type { Edit } from './schedule.ts';

/** An account after somebody has worked on its export; the same one where there was nothing to do. */
export function edited(spec: AccountSpec, edit: Edit): AccountSpec {
  switch (edit.do) {
    case 'change-payload':
      return { ...spec, version: spec.version + 1 };
    case 'mend-payload':
      return spec.isUnwanted ? { ...spec, isUnwanted: false } : spec;
    case 'break':
      return { ...spec, isFaulty: true };
    case 'unbreak':
      return { ...spec, isFaulty: false };
    default:
      return withItems(spec, edit);
  }
}

type ItemEdit = Extract<Edit, { step: unknown }>;

function withItems(spec: AccountSpec, edit: ItemEdit): AccountSpec {
  const items = itemsAfter(spec.items[edit.step], edit);
  return items === undefined ? spec : { ...spec, items: { ...spec.items, [edit.step]: items } };
}

function itemsAfter(items: readonly Item[], edit: ItemEdit): readonly Item[] | undefined {
  if (edit.do === 'add') {
    if (edit.step === 'payment-instruction' && items.length > 0) return undefined;
    const id = 1 + Math.max(-1, ...items.map((item) => item.id));
    const added: Item = { id, version: 0, isUnwanted: false, isPlain: id % 4 === 3 };
    return edit.inFront ? [added, ...items] : [...items, added];
  }
  const item = items[edit.at];
  if (item === undefined) return undefined;
  if (edit.do === 'remove') return items.filter((other) => other !== item);
  if (edit.do === 'mend' && !item.isUnwanted) return undefined;
  // These two refuse nothing for its contents.
  if (edit.do === 'spoil' && (edit.step === 'agreements' || edit.step === 'billing-documents'))
    return undefined;
  const next: Item =
    edit.do === 'change'
      ? { ...item, version: item.version + 1 }
      : { ...item, isUnwanted: edit.do === 'spoil' };
  return items.map((other) => (other === item ? next : other));
}
