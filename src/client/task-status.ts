import { taskStatusAnswer } from '../contract/answers.ts';
import { contradicts, type EchoedRequest } from '../contract/echo.ts';
import { foreignCode } from '../contract/foreign-names.ts';
import type { SentValues } from '../contract/sent-values.ts';
import { isPlatformNumber } from '../contract/platform-number.ts';
import { unreadable } from './classify-response.ts';
import type { Reply } from './http-exchange.ts';
import type { Answer, TaskStatusBody, TransferStatusBody } from './platform-client.ts';
import { readJson } from './read-json.ts';

/** Reads a 200 about a task: its word as the platform spells it, and the number as soon as the account exists. */
export function readTaskStatus(reply: Reply, asked: EchoedRequest, sent: SentValues): Answer<TaskStatusBody> {
  const { status } = reply;
  const body = reply.fault === undefined && status === 200 ? readJson(reply.body) : undefined;
  const read = taskStatusAnswer.safeParse(body);
  if (body === undefined || !read.success) return unreadable(reply);
  const number = read.data.kraken_identifier?.trim() || undefined;
  const isOther = number !== undefined && (!isPlatformNumber(number) || asked.isNumber?.(number) === false);
  if (isOther || contradicts('scheduleStatus', body, asked))
    return { kind: 'unknown', cause: 'answer_mismatch', status };
  const { latest_error: error } = read.data;
  return {
    kind: 'ok',
    status,
    body: {
      status: read.data.status,
      krakenAccountNumber: number,
      error:
        error == null ? undefined : { code: foreignCode(error.code ?? '', sent), detail: error.detail ?? '' },
    },
  };
}

/** The same as the first generation's status says it. A word that nobody knows means that the task is under way. */
export function transferStatusOfTask(answer: Answer<TaskStatusBody>): Answer<TransferStatusBody> {
  if (answer.kind !== 'ok') return answer;
  const { status, krakenAccountNumber } = answer.body;
  const ended = ['ERRORED', 'CANCELLED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED'].includes(status);
  const isCreated = status === 'PROCESSED';
  const word = isCreated ? 'COMPLETED' : ended ? 'UNKNOWN' : 'IN_PROGRESS';
  return { ...answer, body: { status: word, ...(isCreated ? { krakenAccountNumber } : {}) } };
}
