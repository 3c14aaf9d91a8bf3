import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { SettingsSchema } from '../../src/config/schema.ts';
import type { MigrationSettings } from '../../src/api/index.ts';

type Known = z.input<SettingsSchema>;
type Plain<T> = {
  -readonly [K in keyof T]-?: NonNullable<T[K]> extends readonly (infer Item)[]
    ? Item[]
    : NonNullable<T[K]> extends object
      ? Plain<NonNullable<T[K]>>
      : NonNullable<T[K]>;
};
/** Any JSON here, any value there. */
type Comparable<
  T extends {
    readonly tokenMutation?: object | undefined;
    readonly readBack?: { readonly values?: object } | undefined;
  },
> = Plain<Omit<T, 'tokenMutation' | 'readBack'>> & {
  readonly tokenMutation: keyof NonNullable<T['tokenMutation']>;
  readonly readBack: keyof NonNullable<T['readBack']>;
  readonly values: keyof NonNullable<NonNullable<T['readBack']>['values']>;
};

test('the settings of the module are those of .migraterc, each of the same type', () => {
  expectTypeOf<Comparable<MigrationSettings>>().toEqualTypeOf<Comparable<Known>>();
});
