import { resolve } from 'node:path';
import { CannotStart } from '../../app/cannot-start.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import type { AnyCommand } from '../commander.ts';
import { contractOption } from '../options.ts';
import type { Shell } from '../shell.ts';
import { Usage, type Action, type FlagsOf } from '../usage.ts';

const usage = () =>
  new Usage('schema')
    .description("Write a JSON Schema of mapping files with the contract's fields, for editors")
    .example('migrate contract schema --contract tenancy.yaml --out mapping.schema.json')
    .addOption(contractOption)
    .requiredOption('--out <file>', 'File for the schema')
    .option('--force', 'Overwrite a file of another kind');

type Flags = FlagsOf<typeof usage>;

export function contractSchemaCommand({ shell, ended }: Action): AnyCommand {
  return usage().action(async (flags) => ended(await contractSchema(shell, flags)));
}

/** `migrate contract schema`: the JSON Schema of mapping files with the fields of the tenancy's contract. */
async function contractSchema(shell: Shell, flags: Flags): Promise<ExitCode> {
  const { shapeUnder } = await import('../../mapping/payload-shape.ts');
  const { AtomicFile } = await import('../../report/atomic-file.ts');
  const { guardOutputs } = await import('../../app/output-files.ts');
  const { outputKinds } = await import('../../app/output-kinds.ts');
  const { conclude } = await import('../conclude.ts');
  const { mappingSchemaText } = await import('../mapping-schema-text.ts');
  const { neededContract } = await import('../needed-contract.ts');
  const { resolveSettings } = await import('../resolve-settings.ts');
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
        `${flags.out} written. Name it in the first line of a mapping: # yaml-language-server: $schema=${flags.out}`,
    };
  });
}
