import { loadConfig, type Config, type ConfigInput } from '../../config/load-config.ts';
import { ruleCodes } from '../../contract/rule-codes.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { CannotStart } from '../../host/cannot-start.ts';

/** The configuration in force; throws CannotStart with all of its problems. */
export async function configurationInForce(input: Omit<ConfigInput, 'ruleCodes'>): Promise<Config> {
  const loaded = await loadConfig({ ...input, ruleCodes });
  if (!('problems' in loaded)) return loaded;
  throw new CannotStart(
    exitCodes.usage,
    loaded.problems.map(({ where, detail }) => `${where}: ${detail}`),
  );
}
