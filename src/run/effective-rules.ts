import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { defaultRuleContext, type RuleContext } from '../contract/rules/rule.ts';
import { ContractRefused } from '../contract/tenancy/contract-refused.ts';
import type { TenancyContract } from '../contract/tenancy/contract.ts';
import { withPublished } from '../domain/added-step.ts';
import { utcDate } from '../domain/clock.ts';
import { documentDirectory } from '../domain/document-directory.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { stepNames, type StepName } from '../domain/steps.ts';
import { readTrustedText, whyUnread } from '../domain/trusted-file.ts';
import { CannotStart } from '../host/cannot-start.ts';
import type { Environment, Reporter } from '../host/environment.ts';

/**
 * The rules for checking accounts: those that the configuration changes, by code; the tenancy's contract; and the
 * directory in which document paths are looked up. Warns about parts of the contract that are not checked. Throws
 * CannotStart if one of them cannot be used.
 */
export async function effectiveRules(
  environment: Pick<Environment, 'cwd'> & { readonly clock: Pick<Environment['clock'], 'now'> },
  reporter: Pick<Reporter, 'warn'>,
  { rules, ...config }: Pick<Config, 'rules'> & ContractSettings,
  documents?: string,
): Promise<RuleContext> {
  const levels = new Map(Object.entries(rules));
  const contract = await readContract(config, reporter);
  return {
    ...defaultRuleContext(utcDate(environment.clock.now())),
    documents: documents === undefined ? undefined : documentsOf(environment, documents),
    ...(contract === undefined ? { levels } : await underContract(contract, levels)),
  };
}

async function underContract(
  contract: TenancyContract,
  levels: RuleContext['levels'],
): Promise<Pick<RuleContext, 'contract' | 'levels'>> {
  const { levelsUnder } = await import('../contract/tenancy/contract-rules.ts');
  return { contract, levels: levelsUnder(contract, levels) };
}

/** The settings that name the tenancy's contract. */
export interface ContractSettings {
  readonly contract?: Config['contract'] | undefined;
  readonly strictContract?: Config['strictContract'] | undefined;
  /** How accounts are imported. */
  readonly import?: Config['import'] | undefined;
  /** The steps that the profile adds. */
  readonly steps?: Config['steps'] | undefined;
}

/**
 * The tenancy's contract that the settings name; undefined if they name none. `reporter` is warned of what cannot be
 * checked. `checks` false: the caller only needs what it describes. Throws CannotStart if it cannot be used.
 */
export async function readContract(
  { contract: files = [], strictContract: isStrict = false, import: kind, steps = [] }: ContractSettings,
  reporter?: Pick<Reporter, 'warn'>,
  { checks = true }: { readonly checks?: boolean } = {},
): Promise<TenancyContract | undefined> {
  const [first] = files;
  if (first === undefined) return undefined;
  // Loaded on demand: the JSON Schema checker is slow to load, and few runs need it.
  const { readTenancyContract } = await import('../contract/tenancy/tenancy-contract.ts');
  const paths = withPublished(steps).flatMap(({ path, check }) => [
    path,
    ...(check === undefined ? [] : [check]),
  ]);
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await textOf(file) })));
  try {
    const contract = readTenancyContract(texts, { isStrict, checks, kind, paths });
    const [place, ...others] = contract.unchecked;
    if (place !== undefined) reporter?.warn(uncheckedPatterns(files.join(', '), place, others.length));
    return contract;
  } catch (error) {
    if (!(error instanceof ContractRefused)) throw error;
    throw unusable(error.place.file ?? first, error.message);
  }
}

/** The steps whose endpoint the tenancy does not have; none if no contract is named. */
export async function stepsNotOffered(config: ContractSettings): Promise<readonly StepName[]> {
  const contract = await readContract(config, undefined, { checks: false });
  return contract === undefined ? [] : stepNames.filter((step) => !contract.offers(step));
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTrustedText(file);
  } catch (error) {
    throw unusable(file, `it ${whyUnread(error)}`);
  }
}

function unusable(file: string, why: string): CannotStart {
  return new CannotStart(exitCodes.usage, `The contract ${file} cannot be used: ${why}`);
}

function uncheckedPatterns(file: string, place: string, others: number): string {
  const more = others === 0 ? '' : ` and at ${others} more ${others === 1 ? 'place' : 'places'}`;
  return (
    `The contract ${file} has a pattern at ${place}${more} that is not checked here: it is not a valid regular expression, or ` +
    'it has look-around, back-references or a repetition beyond 1,000, with which a check might never end. ' +
    'The platform checks it. To check it here too, rewrite the pattern.'
  );
}

/** Looks up document paths in the directory of --documents; throws CannotStart if it is not a directory. */
function documentsOf(
  environment: Pick<Environment, 'cwd'>,
  name: string,
): NonNullable<RuleContext['documents']> {
  const root = resolve(environment.cwd, name);
  if (!isDirectory(root))
    throw new CannotStart(
      exitCodes.usage,
      `--documents: ${name} is not a directory that can be read. Name the one that document paths are relative to.`,
    );
  return documentDirectory(root);
}

/** Also false if a part of the path is not a directory, is too long, or cannot be searched. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
