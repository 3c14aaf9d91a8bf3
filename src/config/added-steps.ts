import { z } from 'zod';
import { identityParameter, lostAnswers } from '../domain/added-step.ts';
import { registration } from '../domain/registration.ts';
import { parseStepName } from '../domain/steps.ts';

const group = { error: 'must contain name, path, table and identity' };
const text = z.string({ error: 'must be text' }).regex(/\S/, { error: 'must not be empty; leave it out' });
const path = z
  .string({ error: 'must be a path' })
  .regex(/^\/[^\s?#]*\/$/, { error: 'must be a path that begins and ends with /' });

const addedStep = z
  .strictObject(
    {
      name: z
        .string({ error: 'must be text' })
        .regex(/^[a-z][a-z0-9-]*$/, { error: 'must have small letters, digits and hyphens only' })
        .refine((name) => parseStepName(name) === undefined, {
          error: 'must not be the name of a step that every account has',
        })
        .refine((name) => name !== registration, { error: 'must not be registration, which is a command' }),
      path,
      check: path.exactOptional(),
      table: text.regex(/^[\w-]+$/, {
        error: 'must be the name of a file of the export without its extension, such as products',
      }),
      identity: text,
      whenLost: z.enum(lostAnswers, { error: 'must be person, repeat or ask' }).default('person'),
      ask: path.exactOptional(),
      named: z
        .strictObject({ item: text, account: text }, { error: 'must contain item and account' })
        .exactOptional(),
      after: z
        .literal('accounts', { error: 'must be accounts; leave it out for before them' })
        .exactOptional(),
      accounts: text.exactOptional(),
      repeatAfter: z
        .array(z.int().min(500).max(599), { error: 'must be a list of statuses from 500 to 599' })
        .exactOptional(),
    },
    group,
  )
  .refine(({ whenLost, ask }) => (whenLost === 'ask') === (ask !== undefined), {
    error: 'must have ask, a path, if whenLost is ask, and only then',
  })
  .refine(({ named, after }) => named === undefined || after === undefined, {
    error: 'must not have named and after: accounts cannot need what is sent after them',
  })
  .refine(({ accounts, after }) => accounts === undefined || after !== undefined, {
    error: 'must have after: accounts if it has accounts',
  })
  .refine(({ ask }) => ask === undefined || ask.split(identityParameter).length === 2, {
    error: `must have ${identityParameter} once in ask, where the path names the item`,
  });

/** The steps that a profile adds (docs/tenancies.md). */
export const addedSteps = z
  .array(addedStep, { error: 'must be a list of steps, each with a name, a path, a table and an identity' })
  .refine((steps) => new Set(steps.map(({ name }) => name)).size === steps.length, {
    error: 'must not have two steps of one name',
  })
  .refine((steps) => new Set(steps.map(({ table }) => table)).size === steps.length, {
    error: 'must not have two steps of one table',
  });
