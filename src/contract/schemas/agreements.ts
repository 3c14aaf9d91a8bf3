import { z } from 'zod';
import { agreement, identification } from './account.ts';

/** Historical agreement payload of endpoint 10: not shown (section 2.10), so it passes through. */
export const agreementsPayload = z.looseObject(identification);

/** Fields that have one value where the interface names them (section 2.3); a list of them would be refused. */
export const singleAgreementFields = [
  ...Object.keys(agreement.shape),
  'effective_to',
  'supply_point_identifier',
  'agreement',
];
