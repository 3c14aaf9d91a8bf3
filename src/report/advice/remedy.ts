import type { NightReason } from './night-reason.ts';
import type { Outstanding } from './outstanding.ts';

/** Who must act: the owner of the data, the platform's operator, or whoever runs this tool. */
export type WhoActs = 'data' | 'platform' | 'us';

/** The same for people. */
export const whoActs: Readonly<Record<WhoActs, string>> = {
  data: "the data's owner",
  platform: "the platform's operator",
  us: 'whoever runs migrate',
};

/** Reasons for a next step that are no reason for a night. */
type StepReason =
  | 'copied-rows'
  | 'failing-steps'
  | 'unfinished'
  | 'steps-excluded'
  | 'not-taken'
  | 'partly-read'
  | 'pace'
  | 'size'
  | 'numbers'
  | 'new';

export type RemedyReason = NightReason | StepReason;

/** A command, ready to type. */
export interface NextCommand {
  readonly command: string;
  /** The case in which it is right, as a clause with a colon, which is told before it; absent: it comes next in any case. */
  readonly when?: string;
}

/** An entry of the table of advice. */
export interface Remedy {
  readonly reason: RemedyReason;
  /** Who must act, most of all. */
  readonly who: WhoActs | ((left: Outstanding) => WhoActs);
  /** What happened, in a few words; absent if no night is judged by it. */
  readonly words?: string;
  /** Why it cannot wait until the working day; absent if it can. */
  readonly urgent?: string;
  readonly applies: (left: Outstanding) => boolean;
  /** What is left, such as "3 rejected"; '' where the advice says it. */
  readonly what: (left: Outstanding) => string;
  /** What to do; '' if nothing comes before the command. After what is left it begins in lower case. */
  readonly advice: (left: Outstanding) => string;
  /** The one that comes next first; those for a case last. */
  readonly commands: (left: Outstanding) => readonly NextCommand[];
}
