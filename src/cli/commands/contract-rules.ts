import type { RuleUnderContract } from '../../contract/tenancy/contract-rules.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { AnyCommand } from '../commander.ts';
import { contractOption } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('rules')
    .description('List the rules: on or off under the contract and the settings, and why')
    .example('migrate contract rules --contract tenancy.yaml')
    .addOption(contractOption);

type Flags = FlagsOf<typeof usage>;

export function contractRulesCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await contractRules(shell, flags)));
}

const levelWords: Readonly<Record<RuleUnderContract['level'], string>> = {
  error: 'on',
  warning: 'warning',
  off: 'off',
  platform: 'platform',
};

/** `migrate contract rules`: each rule, whether it is on under the contract and the settings, and why. */
async function contractRules(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { rulesUnder } = await import('../../contract/tenancy/contract-rules.ts');
  const { conclude } = await import('../conclude.ts');
  const { neededContract } = await import('../needed-contract.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
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
      text: (page) =>
        [
          ...rules.map(({ code, level, why }) =>
            paragraph(page, `${code}: ${why}`, levelWords[level].padEnd(10), ' '.repeat(10)),
          ),
          '',
          `${counted(on, 'rule')} on, ${warning} as warnings, ${off} off; ${platform} more are checked by the platform alone.`,
        ].join('\n'),
    };
  });
}
