import { z } from 'zod';
import { identification } from './account.ts';

/** Historical agreement payload of endpoint 10: not shown (section 2.10), so it passes through. */
export const agreementsPayload = z.looseObject(identification);
