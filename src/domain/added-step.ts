/** What becomes of an item whose request got no answer: sent again, asked for at `ask`, or left to a person. */
export const lostAnswers = ['person', 'repeat', 'ask'] as const;

/**
 * A step that is none of the interface's: a profile's `steps` names it. Its items belong to a whole book, such as products, and
 * are sent before the accounts.
 */
export interface AddedStep {
  /** Names it in commands, in messages and in the journal. */
  readonly name: string;
  /** Where an item is sent, with POST; the tenancy's contract describes it. */
  readonly path: string;
  /** Where an item is checked first, with POST; absent: nowhere. */
  readonly check?: string;
  /** The table of the export that has the items: the name of its file, without the extension. */
  readonly table: string;
  /** The field, at the top of an item, that distinguishes it from the others. */
  readonly identity: string;
  readonly whenLost: (typeof lostAnswers)[number];
  /** Where it is asked whether the platform has an item, with GET; `{identity}` stands for the value of that field. */
  readonly ask?: string;
}

/** The field of an `ask` path that stands for what identifies the item. */
export const identityParameter = '{identity}';

/** The name under which a run, or a ruling, holds the items of these steps, beside those of import suppliers. */
export const heldAs = '*steps*';
