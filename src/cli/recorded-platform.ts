import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';

/**
 * Which of the journal's platforms a question is about: the configured one, known by its id or by its address; all of
 * them where none is configured. Asks nobody: the journal alone answers, also when the platform is away.
 */
export async function recordedPlatforms(
  journal: Journal,
  config: Pick<Config, 'baseUrl' | 'platformId'>,
): Promise<{ readonly platform: string; readonly label: string }[]> {
  const known = await journal.platforms();
  const { baseUrl, platformId } = config;
  if (baseUrl === undefined) return known;
  const { origin } = new URL(baseUrl);
  return known.filter(({ platform, label }) =>
    platformId === undefined ? label === origin : platform === platformId,
  );
}
