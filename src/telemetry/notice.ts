import { exitCodeMeanings } from '../domain/exit-codes.ts';
import type { EndedRun } from './run-observer.ts';

/** What is told of a run to people who do not watch it. Holds counts and codes: no account, no name, no secret. */
export interface Notice {
  readonly tool: 'migrate';
  /** `end`: it went as it should. `failure`: it did not. `stall`: nothing has moved for a while. */
  readonly event: NoticeEvent;
  /** In one sentence. */
  readonly text: string;
  readonly run: number;
  readonly platform: string;
  readonly supplier?: string;
  readonly exit?: number;
  readonly accounts?: EndedRun['accounts'];
  readonly requests?: number;
  readonly durationMs?: number;
  readonly stopped?: string;
}

export const noticeEvents = ['end', 'failure', 'stall'] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** Where the run was going. */
export interface NoticeSubject {
  readonly run: number;
  readonly platform: string;
  readonly supplier?: string;
}

export function endNotice(subject: NoticeSubject, ended: EndedRun | undefined): Notice {
  const about = nameOf(subject);
  if (ended === undefined)
    return { tool: 'migrate', event: 'failure', text: `${about} broke off by a fault.`, ...subject };
  const { exit, accounts, requests, durationMs, stopped } = ended;
  const meaning = Object.entries(exitCodeMeanings).find(([code]) => Number(code) === exit)?.[1] ?? '';
  const { total, completed, uncounted = 0 } = accounts;
  const open = total - completed;
  const told = `${completed} of ${total} accounts are complete${open === 0 ? '' : `, ${open} are not`}`;
  const counted = uncounted === 0 ? told : `${completed} accounts at least are complete`;
  const text = `${about} ended with ${exit}: ${meaning}. ${counted}.`;
  const rest = { exit, accounts, requests, durationMs, ...(stopped === undefined ? {} : { stopped }) };
  return { tool: 'migrate', event: exit === 0 || exit === 6 ? 'end' : 'failure', text, ...subject, ...rest };
}

export function stallNotice(subject: NoticeSubject, silentMs: number): Notice {
  const minutes = Math.round(silentMs / 60_000);
  const text = `${nameOf(subject)} stalls: no account has moved on for ${minutes} min.`;
  return { tool: 'migrate', event: 'stall', text, ...subject };
}

function nameOf({ run, platform, supplier }: NoticeSubject): string {
  return `Run ${run}${supplier === undefined ? '' : ` of ${supplier}`} on ${platform}`;
}

export const webhookForms = ['generic', 'slack', 'teams'] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** A notice as the body of a webhook: its own fields, or the message form of Slack or Teams. */
export function webhookBody(notice: Notice, form: WebhookForm): string {
  switch (form) {
    case 'generic':
      return JSON.stringify(notice);
    case 'slack':
      return JSON.stringify({ text: notice.text });
    case 'teams':
      return JSON.stringify({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text: notice.text, wrap: true }],
            },
          },
        ],
      });
  }
}
