import { z } from 'zod';

const group = { error: 'must contain keys' };
const text = z.string({ error: 'must be text' }).regex(/\S/, { error: 'must not be empty; leave it out' });
const path = text.nullable();

/** Where a part of an account lies in the answer of a query; null if the part cannot be read. */
function part<const Name extends string>(...values: readonly Name[]) {
  const places = Object.fromEntries(values.map((name) => [name, path.exactOptional()])) as {
    [Key in Name]: z.ZodExactOptional<typeof path>;
  };
  return z
    .strictObject(
      { query: text.exactOptional(), at: text.exactOptional(), next: path.exactOptional(), ...places },
      group,
    )
    .nullable()
    .exactOptional();
}

/** How accounts are read back (docs/read-back.md). What is absent is as in the published schema. */
export const readBackSettings = z.strictObject(
  {
    path: z.string().regex(/^\//, { error: 'must be a path that begins with /' }).exactOptional(),
    perHour: z.int({ error: 'must be a whole number from 1' }).min(1).exactOptional(),
    concurrency: z.int({ error: 'must be a whole number from 1 to 100' }).min(1).max(100).default(8),
    absence: z.enum(['settles', 'tells'], { error: 'must be settles or tells' }).default('tells'),
    decimals: z.int({ error: 'must be a whole number from 0 to 4' }).min(0).max(4).exactOptional(),
    money: z.enum(['minor', 'major'], { error: 'must be minor or major' }).exactOptional(),
    amounts: z
      .enum(['signed', 'reversed', 'unsigned'], { error: 'must be signed, reversed or unsigned' })
      .exactOptional(),
    debits: z.array(text, { error: 'must be a list of types, such as [Charge, Refund]' }).exactOptional(),
    types: z
      .record(
        text,
        z.enum(['charge', 'credit', 'payment', 'refund'], {
          error: 'must be charge, credit, payment or refund',
        }),
        group,
      )
      .exactOptional(),
    instructionTypes: z.record(text, text, group).exactOptional(),
    times: z.enum(['seconds', 'milliseconds'], { error: 'must be seconds or milliseconds' }).exactOptional(),
    credit: z.enum(['positive', 'negative'], { error: 'must be positive or negative' }).exactOptional(),
    queries: z
      .record(
        z.string(),
        z.union([
          text,
          z.strictObject(
            {
              text: text.exactOptional(),
              variables: z.record(z.string(), z.json(), group).exactOptional(),
              number: text.exactOptional(),
            },
            group,
          ),
        ]),
        group,
      )
      .exactOptional(),
    values: z
      .strictObject(
        {
          account: part('balance', 'createdAt'),
          ledgers: part('number', 'code', 'balance'),
          transactions: part('id', 'date', 'amount', 'type', 'reason', 'reference', 'note', 'document'),
          notes: part('body', 'created', 'pinned'),
          bills: part('identifier', 'from', 'to', 'issued', 'amount'),
          agreements: part('product', 'from', 'to', 'meterPoint'),
          paymentInstructions: part('type', 'vendor', 'reference'),
          metadata: part('key', 'value'),
        },
        group,
      )
      .exactOptional(),
  },
  group,
);
