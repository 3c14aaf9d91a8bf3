import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Config } from '../../config/load-config.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import type { Environment } from '../../host/environment.ts';
import { rehearsalFlags, type RehearsalSettings } from './rehearsal-flags.ts';

/** The embedded platform's name for people. */
export const embeddedLabel = 'embedded';

/** The embedded platform's state file: beside the journal. */
export function embeddedStateFile({ workDirectory }: Pick<Config, 'workDirectory'>): string {
  return join(workDirectory, 'platform.db');
}

/** The longest time for it to end in good order, in ms. */
const stopMs = 10_000;

/** The embedded platform in a separate process, for as long as this process needs it. */
export interface EmbeddedPlatform {
  readonly url: string;
  readonly apiKey: string;
  readonly platformId: string;
  stop(): Promise<void>;
}

const listening = z.object({
  type: z.literal('listening'),
  url: z.string(),
  apiKey: z.string(),
  platformId: z.string(),
});

/**
 * Starts `migrate serve` on a free port with its state in the given file, and what the settings say of the platform.
 * The child ends when this process does, however it ends: it watches its standard input. Throws its output if it does
 * not start.
 */
export async function startEmbedded(
  environment: Environment,
  stateFile: string,
  settings: RehearsalSettings = {},
): Promise<EmbeddedPlatform> {
  const [command, ...first] = environment.self;
  const args = [...first, 'serve', '--json', '--port', '0', '--state', stateFile, '--attached'];
  args.push(...rehearsalFlags(settings));
  const child = spawn(command, args, {
    cwd: environment.cwd,
    env: { ...environment.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // On Windows, a console of its own that nobody sees: an interrupt of the run, or its closing console, does not end it.
    windowsHide: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-2000)));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const firstLine = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    exited.then(() => undefined),
  ]);
  const started = listening.safeParse(firstLine === undefined ? undefined : parsed(firstLine));
  if (!started.success) {
    child.kill();
    const why = said.replaceAll(/^error: /gm, '').trim();
    throw new EmbeddedPlatformFailed(child.signalCode === null && why !== '' ? why : withoutWords(child));
  }
  const { url, apiKey, platformId } = started.data;
  return {
    url,
    apiKey,
    platformId,
    stop: async () => {
      const hasEnded = new AbortController();
      child.stdin.end();
      // Its answered requests are durable: nothing is lost if it is killed.
      environment.clock.sleep(stopMs, hasEnded.signal).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
      await exited;
      hasEnded.abort();
    },
  };
}

/** What is known of a child that said nothing which a person could use. */
function withoutWords({ exitCode, signalCode }: ChildProcess): string {
  return signalCode === null
    ? `It ended with ${exitCode} and without a message.`
    : `It was ended by ${signalCode}: perhaps this machine allows no further thread (ulimit -u, TasksMax=) or memory (ulimit -v), or somebody ended it. Run the same command again.`;
}

/** The embedded platform did not start; the message is its output. */
export class EmbeddedPlatformFailed extends Error {
  override readonly name = 'EmbeddedPlatformFailed';
}

function parsed(line: string): unknown {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
