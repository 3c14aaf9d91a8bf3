import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { mappingSchema } from '../../mapping/mapping-schema.ts';
import { shapeUnder } from '../../mapping/payload-shape.ts';
import { AtomicFile } from '../../report/atomic-file.ts';
import { CannotStart } from '../../app/cannot-start.ts';
import { guardOutputs } from '../../app/output-files.ts';
import { outputKinds } from '../../app/output-kinds.ts';
import { packaged } from '../../app/system/packaged.ts';
import type { CommonFlags } from '../usage.ts';
import { conclude } from '../conclude.ts';
import { neededContract } from '../needed-contract.ts';
import { resolveSettings } from '../resolve-settings.ts';
import type { Shell } from '../shell.ts';

export interface ContractSchemaFlags extends CommonFlags {
  readonly contract?: readonly string[];
  readonly out: string;
  readonly force?: boolean;
}

/** `migrate contract schema`: the JSON Schema of mapping files with the fields of the tenancy's contract. */
export function contractSchemaCommand(shell: Shell, flags: ContractSchemaFlags): Promise<ExitCode> {
  return conclude(shell, 'contract schema', flags, async (printer) => {
    const config = await resolveSettings(shell, flags);
    const shape = shapeUnder(await neededContract(config, printer));
    const guide = await readFile(packaged('docs/mapping.md'), 'utf8');
    await guardOutputs(shell, config, [{ name: '--out', path: flags.out, kind: outputKinds.schema }], flags);
    const file = AtomicFile.open(resolve(shell.cwd, flags.out));
    if (!(file instanceof AtomicFile)) throw new CannotStart(exitCodes.usage, `--out: ${file.refusal}`);
    try {
      file.add(`${JSON.stringify(mappingSchema(guide, shape), null, 2)}\n`);
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
