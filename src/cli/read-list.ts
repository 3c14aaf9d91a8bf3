import type { Answer, PlatformClient } from '../client/platform-client.ts';
import type { Config } from '../config/load-config.ts';
import type { ImportProcessRecord } from '../contract/schemas/import-process.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import { waitAfter } from '../pipeline/retry.ts';
import { inSentence } from '../report/format.ts';
import { CannotStart } from '../app/cannot-start.ts';
import type { Shell } from './shell.ts';
import { stopDetail } from '../app/stop-detail.ts';

/**
 * Streams what the platform lists of a supplier, pending and imported (interface, section 4, endpoint 5). A list that is
 * cut off counts for nothing: it is asked for again, and `begin` is called before each try. Throws CannotStart when the
 * platform does not give it whole.
 */
export async function readList(
  {
    shell,
    config,
    client,
  }: { readonly shell: Shell; readonly config: Config; readonly client: PlatformClient },
  supplier: string,
  begin: () => (record: ImportProcessRecord) => void,
): Promise<void> {
  const { retry } = config;
  let isRenewed = false;
  for (let tries = 1; ; tries += 1) {
    const answer = await client.list('allProcesses', supplier, begin());
    if (answer.kind === 'ok') return;
    if (answer.kind === 'unauthorized' && !isRenewed) {
      isRenewed = true;
      client.discardToken(answer.tokenId);
      continue;
    }
    const most = answer.kind === 'throttled' ? retry.throttledAttempts : retry.attempts;
    if (isFinal(answer) || tries >= most) throw refusal(answer, supplier);
    const asked = answer.kind === 'throttled' ? answer.retryAfterMs : undefined;
    await shell.clock.sleep(waitAfter(asked, tries, retry, shell.random));
  }
}

type Failure = Exclude<Answer<void>, { kind: 'ok' }>;

function isFinal({ kind }: Failure): boolean {
  return kind === 'unauthorized' || kind === 'refused' || kind === 'not-found';
}

function refusal(answer: Failure, supplier: string): CannotStart {
  if (answer.kind === 'unauthorized')
    return new CannotStart(
      exitCodes.credentialsRefused,
      inSentence(stopDetail('credentials', answer.detail)),
    );
  if (answer.kind === 'refused' || answer.kind === 'not-found')
    return new CannotStart(
      exitCodes.unavailable,
      `The platform does not list the accounts of ${supplier} (status ${answer.status}: ${answer.refusal.detail}). Ask its operator whether it knows this import supplier.`,
    );
  const cause = 'cause' in answer ? answer.cause : answer.kind;
  return new CannotStart(
    exitCodes.unavailable,
    `The platform did not give its complete list of accounts, and a part of it proves nothing: ${stopDetail('unavailable', cause)}`,
  );
}
