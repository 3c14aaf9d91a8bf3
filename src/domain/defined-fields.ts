/** `T` without undefined: a field that may be undefined is one that may be absent. */
type Defined<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The fields that are not undefined, for a record whose absent fields are left out. */
export function definedFields<const T extends object>(fields: T): Defined<T>;
export function definedFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
