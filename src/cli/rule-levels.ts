import type { Config } from '../config/load-config.ts';
import type { RuleLevel } from '../contract/rules/rule.ts';

/** The rules that the configuration turns off or down, by code. */
export function ruleLevels(config: Pick<Config, 'rules'>): ReadonlyMap<string, RuleLevel> {
  return new Map(Object.entries(config.rules));
}
