import { invalid } from '../refusals.ts';
import type { PostEndpoint } from './endpoint.ts';
import { unknownSupplier } from './supplier.ts';

/** Endpoint 1: the validated data as body; nothing is stored (section 4, rule 1). */
export const validate: PostEndpoint = {
  step: 'validate',
  refusesFirst: () => true,
  answer({ key, text }, context) {
    const missing = unknownSupplier(context.operator(), key.supplier, 'import_supplier');
    return missing === undefined ? { status: 200, body: text } : invalid([missing]);
  },
};
