import { z } from 'zod';
import type { JsonValue } from '../domain/json.ts';
import type { SectionName } from '../domain/steps.ts';
import { filled } from './mapping-keys.ts';
import { sections } from './payload-shape.ts';

const content = z.custom<JsonValue>((value) => value !== undefined);
const entries = z.record(z.string(), content, { error: 'Keys are required here.' });

const section = content.optional();
const sectionKeys = Object.fromEntries(sections.map(({ name }) => [name, section])) as Readonly<
  Record<SectionName, typeof section>
>;

/** The items of one step: a table whose key identifies them, and the fields of their requests. */
export const itemsEntry = z.strictObject({ from: filled, each: entries });

/** A mapping file's own keys. */
export const topLevel = z.strictObject({
  version: z.literal('1', { error: 'This tool reads version 1 of the mapping language.' }),
  source: content.optional(),
  format: entries.optional(),
  tables: entries,
  lookups: entries.optional(),
  module: filled.optional(),
  // With comments only, it is empty.
  account: entries.nullable().transform((said) => said ?? {}),
  items: z.record(z.string(), itemsEntry, { error: 'Keys are required here.' }).optional(),
  ...sectionKeys,
});

/** What a mapping file has at its top level. */
export type TopLevel = z.infer<typeof topLevel>;
