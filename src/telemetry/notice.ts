import { exitCodeMeanings, exitCodes } from '../domain/exit-codes.ts';
import { aboutStop, type BreakReason, type StopReason } from '../domain/stop-reason.ts';
import { goodness, type EndedRun, type NightTold, type ObservedEnd } from './run-observer.ts';

/**
 * A notification about a run, for people who do not watch it. Contains counts and codes and, for a run that could not
 * start, the reason: no name, no secret.
 */
export interface Notice {
  readonly tool: 'migrate';
  /**
   * `end`: it ended as it should. `failure`: it did not, or never started. `stall`: no account has progressed for a
   * while.
   */
  readonly event: NoticeEvent;
  /** One sentence. */
  readonly text: string;
  /** Absent if none has started. */
  readonly run?: number;
  readonly platform: string;
  /** Absent if none is in force. */
  readonly profile?: string | undefined;
  /** Whether no platform was configured, so that the embedded one was used. */
  readonly rehearsal: boolean;
  readonly supplier?: string | undefined;
  readonly exit?: number;
  readonly accounts?: EndedRun['accounts'];
  readonly requests?: number;
  readonly durationMs?: number;
  /** Whether the same command, run again, would have work. */
  readonly workLeft?: boolean;
  /** What `migrate morning` says after the run; absent if the journal cannot be read, and during a run. */
  readonly night?: NightNoticed | undefined;
  /** Why it stopped early: a machine code, as in the log. */
  readonly stopped?: StopReason | BreakReason | undefined;
}

export const noticeEvents = ['end', 'failure', 'stall'] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** What `migrate morning` says, without what is in the text. */
type NightNoticed = Omit<NightTold, 'text' | 'headline' | 'exit'>;

/** The run and its destination. */
export interface NoticeSubject {
  /** Absent before it has started. */
  readonly run?: number;
  readonly platform: string;
  readonly profile?: string | undefined;
  readonly rehearsal: boolean;
  readonly supplier?: string | undefined;
}

/** The longest detail, in characters. */
const longestDetail = 500;

export function endNotice(subject: NoticeSubject, end: ObservedEnd): Notice {
  const about = nameOf(subject);
  const event = (goodness(end, subject.run) ?? true) ? 'end' : 'failure';
  const night = end.night && withoutText(end.night);
  const nightText = end.night === undefined ? '' : `\n\n${end.night.text}`;
  if (end.kind !== 'ended') {
    const { kind, exit, reason } = end;
    const detail = end.detail.slice(0, longestDetail);
    const what = kind === 'not-begun' ? 'did not begin' : 'broke off';
    return {
      ...{ tool: 'migrate', event, text: `${about} ${what}: ${detail}${nightText}`, ...subject },
      night,
      exit,
      stopped: reason,
    };
  }
  const { exit, accounts, requests, durationMs, workLeft, stopped } = end;
  const { total, completed, uncounted = 0 } = accounts;
  const open = total - completed;
  const told = `${completed} of ${total} accounts are complete${open === 0 ? '' : `, ${open} ${open === 1 ? 'is' : 'are'} not`}`;
  const atLeast = completed === 0 ? '' : ` At least ${completed} accounts are complete.`;
  const counted = uncounted !== null ? ` ${told}.` : atLeast;
  const text = `${about} ${howItEnded(exit, stopped)}.${counted}${nightText}`;
  const rest = {
    exit,
    accounts,
    requests,
    durationMs,
    workLeft,
    stopped,
    night,
  };
  return { tool: 'migrate', event, text, ...subject, ...rest };
}

function withoutText({ text: _text, headline: _headline, exit: _exit, ...night }: NightTold): NightNoticed {
  return night;
}

function howItEnded(exit: number, stopped: StopReason | undefined): string {
  const meaning = Object.entries(exitCodeMeanings).find(([code]) => Number(code) === exit)?.[1] ?? '';
  const stop = stopped && aboutStop(stopped);
  if (stop === undefined || (exit !== exitCodes.stoppedEarly && stop.isSaidByExit === true))
    return `ended with ${exit}: ${meaning}`;
  return exit === exitCodes.stoppedEarly
    ? `ended with ${exit}, stopped early with work left: ${stop.words}`
    : `ended with ${exit}: ${meaning} (${stop.words})`;
}

export function stallNotice(subject: NoticeSubject, silentMs: number): Notice {
  const seconds = Math.round(silentMs / 1_000);
  const silent = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  const text = `${nameOf(subject)} has stalled: no account has progressed for ${silent}.`;
  return { tool: 'migrate', event: 'stall', text, ...subject };
}

function nameOf({ run, platform, rehearsal, supplier }: NoticeSubject): string {
  const kind = rehearsal ? 'rehearsal' : 'run';
  const what = run === undefined ? `The ${kind}` : `${rehearsal ? 'Rehearsal' : 'Run'} ${run}`;
  return `${what}${supplier === undefined ? '' : ` of ${supplier}`} on ${platform}`;
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
