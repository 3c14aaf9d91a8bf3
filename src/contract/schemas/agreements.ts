import { agreementFields, identification } from './account.ts';
import { openObject } from './schema.ts';

/**
 * Historical agreement payload of endpoint 10. The interface does not define it (section 2.10), so it passes through.
 */
export const agreementsPayload = openObject(identification);

/** Fields that the interface defines with a single value (section 2.3); a list would be refused. */
export const singleAgreementFields = [
  ...Object.keys(agreementFields),
  'effective_to',
  'supply_point_identifier',
  'agreement',
];
