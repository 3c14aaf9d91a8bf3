import { shownText } from '../../domain/foreign-text.ts';
import { resolve } from 'node:path';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Reporter } from '../../host/environment.ts';
import type { Config } from '../../config/load-config.ts';
import type { RuleUnderContract } from '../../contract/tenancy/contract-rules.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { AnyCommand } from '../commander.ts';
import { contractOption } from '../options.ts';
import type { Shell } from '../shell.ts';
import { commandGroup, Usage, type Action, type FlagsOf } from '../usage.ts';

export const contractCommand = commandGroup('contract', "Show what a tenancy's contract decides", [
  contractSchemaCommand,
  contractRulesCommand,
]);

const schemaUsage = () =>
  new Usage('schema')
    .description("Write a JSON Schema of mapping files with the contract's fields, for editors")
    .example('migrate contract schema --contract tenancy.yaml --out mapping.schema.json')
    .addOption(contractOption)
    .requiredOption('--out <file>', 'File for the schema')
    .option('--force', 'Overwrite a file of another kind');

type SchemaFlags = FlagsOf<typeof schemaUsage>;

function contractSchemaCommand({ shell, ended }: Action): AnyCommand {
  return schemaUsage().action(async (flags) => ended(await contractSchema(shell, flags)));
}

/** `migrate contract schema`: the JSON Schema of mapping files with the fields of the tenancy's contract. */
async function contractSchema(shell: Shell, flags: SchemaFlags): Promise<ExitCode> {
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { AtomicFile } = await import('../../report/atomic-file.ts');
  const { guardOutputs } = await import('../../run/session/output-files.ts');
  const { outputKinds } = await import('../../run/session/output-kinds.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  const { mappingSchemaText } = await import('../mapping-schema-text.ts');
  return conclude(shell, 'contract schema', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const shape = shapeUnder(await neededContract(config, printer));
    await guardOutputs(shell, config, [{ name: '--out', path: flags.out, kind: outputKinds.schema }], flags);
    const file = AtomicFile.open(resolve(shell.cwd, flags.out));
    if (!(file instanceof AtomicFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
    try {
      file.add(await mappingSchemaText(shape));
      const failure = file.complete();
      if (failure !== undefined) throw new CannotStart(exitCodes.usage, `--out: ${failure}`);
    } finally {
      file.close();
    }
    return {
      exit: exitCodes.done,
      summary: { out: flags.out, fields: shape.account.size },
      text: () =>
        `${shownText(flags.out)} written. Name it in the first line of a mapping: # yaml-language-server: $schema=${flags.out}`,
    };
  });
}

const rulesUsage = () =>
  new Usage('rules')
    .description('List the rules: on or off under the contract and the settings, and why')
    .example('migrate contract rules --contract tenancy.yaml')
    .addOption(contractOption);

type RulesFlags = FlagsOf<typeof rulesUsage>;

function contractRulesCommand({ shell, ended }: Action): AnyCommand {
  return rulesUsage().action(async (flags) => ended(await contractRules(shell, flags)));
}

const levelWords: Readonly<Record<RuleUnderContract['level'], string>> = {
  error: 'on',
  warning: 'warning',
  off: 'off',
  platform: 'platform',
};

/** `migrate contract rules`: each rule, whether it is on under the contract and the settings, and why. */
async function contractRules(shell: Shell, flags: RulesFlags): Promise<ExitCode> {
  const { rulesUnder } = await import('../../contract/tenancy/contract-rules.ts');
  const { conclude, resolveSettings } = await import('../conclude.ts');
  return conclude(shell, 'contract rules', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const contract = await neededContract(config, printer);
    const rules = rulesUnder(contract, new Map(Object.entries(config.rules)));
    for (const { code, level, why } of rules)
      printer.line({ type: 'rule', code, level: levelWords[level], why });
    const count = (level: RuleUnderContract['level']): number =>
      rules.filter((rule) => rule.level === level).length;
    const [on, warning, off, platform] = [count('error'), count('warning'), count('off'), count('platform')];
    return {
      exit: exitCodes.done,
      summary: { on, warning, off, platform },
      evenIfQuiet: true,
      text: (page) =>
        [
          ...rules.map(({ code, level, why }) =>
            paragraph(page, `${code}: ${why}`, levelWords[level].padEnd(10), ' '.repeat(10)),
          ),
          '',
          `${counted(on, 'rule')} on, ${warning} as warnings, ${off} off; ${platform} more are checked only by the platform.`,
        ].join('\n'),
    };
  });
}

/** The tenancy's contract. Throws CannotStart if none is named, or it cannot be used. */
async function neededContract(
  config: Pick<Config, 'contract' | 'strictContract'>,
  reporter: Pick<Reporter, 'warn'>,
): Promise<TenancyContract> {
  const { readContract } = await import('../../run/effective-rules.ts');
  const contract = await readContract(config, reporter, { checks: false });
  if (contract !== undefined) return contract;
  throw new CannotStart(
    exitCodes.usage,
    'No contract is named. Name one with --contract, or set contract in .migraterc.',
  );
}
