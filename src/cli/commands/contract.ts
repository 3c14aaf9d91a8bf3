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
import type { Shell } from '../shell.ts';
import { shapeUnder } from '../../mapping/payload-shape.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { guardOutputs } from '../../run/session/output-files.ts';
import { outputKinds } from '../../run/session/output-kinds.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { mappingSchemaText } from '../mapping-schema-text.ts';
import { rulesUnder } from '../../contract/tenancy/contract-rules.ts';
import { readContract } from '../../run/effective-rules.ts';
import type { ContractSchemaFlags, ContractRulesFlags } from '../usages/contract.ts';

/** `migrate contract schema`: the JSON Schema of mapping files with the fields of the tenancy's contract. */
export async function contractSchema(shell: Shell, flags: ContractSchemaFlags): Promise<ExitCode> {
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

const levelWords: Readonly<Record<RuleUnderContract['level'], string>> = {
  error: 'on',
  warning: 'warning',
  off: 'off',
  platform: 'platform',
};

/** `migrate contract rules`: each rule, whether it is on under the contract and the settings, and why. */
export async function contractRules(shell: Shell, flags: ContractRulesFlags): Promise<ExitCode> {
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
  const contract = await readContract(config, reporter, { checks: false });
  if (contract !== undefined) return contract;
  throw new CannotStart(
    exitCodes.usage,
    'No contract is named. Name one with --contract, or set contract in .migraterc.',
  );
}
