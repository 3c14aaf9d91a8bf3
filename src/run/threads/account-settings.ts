import type { Config } from '../../config/load-config.ts';
import { definedFields } from '../../domain/defined-fields.ts';
import type { Environment } from '../../host/environment.ts';
import type { Cutting } from '../../pipeline/settings.ts';
import type { ContractSettings } from '../effective-rules.ts';

/** The settings that decide what is found of accounts. */
type FindingSettings = Pick<Config, 'rules'> & {
  readonly [Name in 'supplier' | 'bytesPerRequest']?: Config[Name] | undefined;
} & Omit<ContractSettings, 'steps'>;

/** What decides what a thread finds of accounts. */
export interface AccountSettings {
  readonly config: FindingSettings;
  readonly documents: string | undefined;
  /** As in AccountRules. */
  readonly accounts?: ReadonlySet<string> | undefined;
  readonly cutting: Cutting;
  /** The most memory of all accounts at the same time, in bytes. */
  readonly mostBytes?: number | undefined;
  readonly cwd: string;
  /** Milliseconds since the epoch: the current day for the rules. */
  readonly now: number;
}

/** Only what a thread needs of all settings. */
export function accountSettings(
  { cwd, clock }: Pick<Environment, 'cwd'> & { readonly clock: Pick<Environment['clock'], 'now'> },
  config: FindingSettings,
  {
    documents,
    ...limits
  }: { readonly documents?: string | undefined } & Pick<
    AccountSettings,
    'accounts' | 'cutting' | 'mostBytes'
  >,
): AccountSettings {
  const { rules, supplier, bytesPerRequest, contract, strictContract, import: kind } = config;
  return {
    config: definedFields({ rules, supplier, bytesPerRequest, contract, strictContract, import: kind }),
    documents,
    ...limits,
    cwd,
    now: clock.now(),
  };
}
