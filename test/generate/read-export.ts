import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '../../src/domain/json.ts';
import { generateExport, type GenerateOptions } from '../../src/generate/generate-export.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** Generates into a new directory and gives its files' texts by name. */
export async function generated(options: Partial<GenerateOptions>): Promise<Map<string, string>> {
  return filesOf(await generatedDirectory(options));
}

export async function generatedDirectory(options: Partial<GenerateOptions>): Promise<string> {
  const directory = join(temporaryDirectory('generate-'), 'export');
  await generateExport({
    accounts: 50,
    seed: 1,
    shape: 'interface',
    supplier: 'TENTACLE_ENERGY',
    ...options,
    directory,
  });
  return directory;
}

export function filesOf(directory: string): Map<string, string> {
  return new Map(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

export function ndjsonRecords(text: string | undefined): JsonObject[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson)
    .filter(isJsonObject);
}
