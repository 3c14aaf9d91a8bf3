import { aboutStop, asStopReason, type StopReason } from '../../domain/stop-reason.ts';
import { inSentence } from '../format.ts';
import { mostConcerned, whoseFault } from '../failures/causes.ts';
import { commandsAt, type Commands } from './commands.ts';
import type { NightCause } from './night-reason.ts';
import { unfinishedIn, type Outstanding } from './outstanding.ts';
import type { Remedy, WhoActs } from './remedy.ts';

interface NightEntry {
  readonly words: string;
  readonly who: WhoActs | ((left: Outstanding) => WhoActs);
  /** What comes before the next command, in sentences; `detail`: what the run said of its stop, or ''. */
  readonly advice: string | ((detail: string) => string);
  readonly next: (commands: Commands, left: Outstanding) => string;
  readonly urgent?: string;
  /** Whether the stop leaves something of its own to do with this book; default: it does. */
  readonly concerns?: (left: Outstanding) => boolean;
}

const ofStop = (
  reason: StopReason,
  entry: Omit<NightEntry, 'words'> & Partial<Pick<NightEntry, 'words'>>,
): NightEntry => ({ words: aboutStop(reason).words, ...entry });

/** A book of which nothing is left is proved. */
const runAgain = ({ run, reconcile, numbers }: Commands, left: Outstanding): string => {
  if (left.accounts.completed === 0 || left.isPartlyRead) return run;
  if (unfinishedIn(left) + left.accounts.failed > 0) return run;
  return left.isProved === true ? numbers : reconcile;
};
const goOn = ({ run }: Commands): string => run;
const doctor = (commands: Commands): string => commands.doctor;
const restore = (commands: Commands): string => commands.restore;
const watch = (commands: Commands): string => commands.watch;
const rulings = ({ list }: Commands): string => list('--state uncertain --csv uncertain.csv');

const goesOn: Omit<NightEntry, 'words'> = { who: 'us', advice: '', next: runAgain };
const asksFirst =
  'every account is in doubt now, as after `migrate journal restore`, and the tool asks the platform before it sends anything.';
const settlesFirst =
  'The same run, started again, settles the requests that were under way before it sends anything.';

/** Why runs and nights were not as they should be, and the remedies. */
export const nights: Readonly<Record<StopReason | NightCause, NightEntry>> = {
  running: { words: 'a run is under way', who: 'us', advice: 'Wait for its end.', next: watch },
  interrupt: ofStop('interrupt', { words: 'it was interrupted', ...goesOn }),
  hours: ofStop('hours', goesOn),
  limit: ofStop('limit', goesOn),
  scheduled: ofStop('scheduled', goesOn),
  'run-timeout': ofStop('run-timeout', goesOn),
  'max-failures': ofStop('max-failures', {
    words: 'too many accounts failed or were rejected',
    who: ({ causes = [] }) =>
      mostConcerned(
        causes.filter(({ state }) => state === 'rejected' || state === 'failed'),
        whoseFault,
      ) ?? 'data',
    advice: 'Find out what the failures share, and correct the cause.',
    next: ({ list }) => list('--summary'),
    // A run of several suppliers stops for the failures of any.
    concerns: ({ accounts }) => accounts.rejected + accounts.failed > 0,
  }),
  'step-not-done': ofStop('step-not-done', {
    who: 'data',
    advice:
      'Accounts that need one of its items were not sent. Correct the items that were refused, in the export or on the platform. Those that failed are sent again by the next run.',
    next: goOn,
  }),
  'step-uncertain': ofStop('step-uncertain', {
    who: 'us',
    advice: (detail) =>
      `Look on the platform whether it has the items. Then rule on each with \`migrate resolve ITEM --step ${detail.split(':')[0] ?? ''} --as done\` or \`--as repeat\`, and run the same command again.`,
    next: goOn,
  }),
  'same-refusal': ofStop('same-refusal', {
    words: 'the platform refused every account for one reason',
    who: 'us',
    advice:
      "Correct the mapping and run the same command again. If the platform's set-up is corrected instead, run `migrate retry` first. --max-failures continues anyway.",
    next: ({ list }) => list('--state rejected'),
    concerns: ({ accounts }) => accounts.rejected > 0,
  }),
  'unrecognised-answers': ofStop('unrecognised-answers', {
    who: 'platform',
    advice: unrecognisedAdvice,
    next: doctor,
  }),
  credentials: ofStop('credentials', {
    words: 'the platform refused the credentials',
    who: 'us',
    advice: 'Check the API key or token.',
    next: doctor,
  }),
  unavailable: ofStop('unavailable', {
    words: 'the platform is unavailable',
    who: 'platform',
    advice: (detail) =>
      // Most causes have a remedy of their own.
      /Try again later/.test(detail) || detail === ''
        ? "Ask the platform's operator when it is back, then run the same command again."
        : 'Once that is mended, run the same command again.',
    next: doctor,
  }),
  'supplier-not-ongoing': ofStop('supplier-not-ongoing', {
    words: "the platform's operator has paused or completed the import supplier",
    who: 'platform',
    advice: "Ask the platform's operator to set the supplier to Ongoing, then run the same command again.",
    next: goOn,
  }),
  held: ofStop('held', {
    who: 'us',
    advice: (detail) => (/Wait for it to end/.test(detail) ? '' : 'Wait for the other run to end.'),
    next: watch,
  }),
  'lease-lost': ofStop('lease-lost', goesOn),
  'journal-gone': ofStop('journal-gone', {
    who: 'us',
    advice: (detail) =>
      /put it back|restore a backup/i.test(detail) ? '' : 'Put the journal back, or restore its backup.',
    next: restore,
    urgent: 'nothing may run before the journal is back.',
  }),
  journal_behind: ofStop('journal_behind', {
    who: 'us',
    advice:
      'Its directory, disk or machine may have been restored. If there is a newer journal, put it in place of this one. If there is none, run ' +
      `the same command again: ${asksFirst}`,
    next: goOn,
    urgent: 'nothing may run with another journal meanwhile.',
  }),
  doubled_requests: ofStop('doubled_requests', {
    who: 'us',
    advice:
      'Turn off the repetition of POST requests in every proxy and gateway (nginx: proxy_next_upstream non_idempotent; Envoy: retry_on; HAProxy: retry-on all-retryable-errors). ' +
      'What the accounts of this run have that cannot be recognised, such as agreements, may be there twice: look at some of them. Then rule on the uncertain accounts with `migrate resolve` and run the same command again.',
    next: rulings,
    urgent: 'whatever else uses this way to the platform may be doubled too.',
  }),
  other_journal: ofStop('other_journal', {
    who: 'us',
    advice: `Stop one of the two. To continue with this one, run the same command again: ${asksFirst}`,
    next: goOn,
    urgent: 'two journals on one book may create things twice.',
  }),
  'created-meanwhile': ofStop('created-meanwhile', {
    who: 'us',
    advice:
      'Find out which before you run again, then settle these accounts with `migrate resolve --step process`.',
    next: rulings,
  }),
  'already-there': {
    words: 'the journal is new, and the platform has its accounts already',
    who: 'us',
    advice:
      'If that journal is missing, put it back, or restore a backup with `migrate journal restore FILE`. Do not use --adopt instead: what cannot be recognised, such as agreements, would be there twice. ' +
      'If they were created without migrate, continue with --adopt.',
    next: restore,
  },
  'export-shrank': {
    words: 'the export, or a code table of its mapping, shrank',
    who: 'data',
    advice: (detail) =>
      /run once with --accept-shrinkage/.test(detail)
        ? ''
        : 'Export it again. If it is whole, run once with --accept-shrinkage.',
    next: ({ plan }) => plan,
  },
  'export-changed': {
    words: 'too much of what was sent, or of a code table, has changed',
    who: 'data',
    advice: (detail) =>
      /run once with --accept-changes/.test(detail)
        ? ''
        : 'Put back what changed. If it is right, run once with --accept-changes.',
    next: ({ plan }) => plan,
  },
  'dry-run-ignored': ofStop('dry-run-ignored', {
    who: 'platform',
    advice: 'Ask its operator before you continue.',
    next: ({ remote }) => remote,
    urgent: 'a dry run has created an account.',
  }),
  killed: {
    words: 'the run was killed, its machine went down, or it could no longer write its journal',
    who: 'us',
    advice: settlesFirst,
    next: goOn,
  },
  'disk-full': {
    words: 'the disk of the journal is full',
    who: 'us',
    advice: `Free space there. ${settlesFirst}`,
    next: goOn,
  },
  'not-begun': { words: 'the run could not start', who: 'us', advice: correctWhatIsNamed, next: doctor },
  'broke-off': { words: 'an error ended the run', who: 'us', advice: correctWhatIsNamed, next: doctor },
  'no-run': { words: 'no run has begun yet', who: 'us', advice: '', next: goOn },
  'no-night': {
    words: 'no run began in the last night',
    who: 'us',
    advice:
      'Check that its schedule (cron, systemd, launchd, Task Scheduler) starts the run, that the machine was on, and that nothing killed the run while it read the export: its output ends there.',
    next: goOn,
  },
  'no-journal': {
    words: 'the journal is gone',
    who: 'us',
    advice: 'Put it back, or restore its backup.',
    next: restore,
    urgent: 'nothing may run before the journal is back.',
  },
  rehearsal: {
    words: 'the run was a rehearsal, and nothing reached the platform',
    who: 'us',
    advice: "Name the platform's profile with --profile or MIGRATE_PROFILE.",
    next: doctor,
  },
  'other-platform': {
    words: 'the run was on another platform than the nights before',
    who: 'us',
    advice:
      'If that platform was meant, nothing is to be done: the next night there is judged as usual. If not, correct baseUrl or platformId, or name the right profile with --profile or MIGRATE_PROFILE, before the next run. With unattended: true and platformId in the profile, a run on another platform is refused.',
    next: doctor,
    urgent: 'accounts may have been created on a platform where they do not belong.',
  },
  'older-export': {
    words: 'the export is an earlier one, not the newest that was read',
    who: 'data',
    advice:
      'Put the newest export in its place and run again: accounts that were sent from the older one are told as changed then. If it was put back on purpose, nothing is to be done: the next night with it is judged as usual.',
    next: ({ plan }) => plan,
  },
  'clock-back': {
    words: 'a clock was set back',
    who: 'us',
    advice:
      'Set the clocks of the machines with NTP: allowed hours, tokens and holds on suppliers depend on them. Times of that run in the journal are wrong.',
    next: doctor,
  },
  ruled: { words: 'what it left has been ruled on since', who: 'us', advice: '', next: runAgain },
};

function correctWhatIsNamed(detail: string): string {
  return detail === ''
    ? 'Correct what its log names.'
    : 'Correct what it names, then run the same command again.';
}

/** `detail`: each step with the form of its answers. */
export function unrecognisedAdvice(detail: string): string {
  const accepted = [...detail.matchAll(/([a-z-]+): (2\d\d) (?:without a body|with JSON|with a JSON)/g)].map(
    ([, step = '', status = '']) => `${step}: [${status}]`,
  );
  if (accepted.length === 0) return 'Check baseUrl and the proxies: a page does not come from the platform.';
  return `If the platform's operator says that this means success, set acceptedAnswers: { ${accepted.join(', ')} } in the profile and run the same command again; otherwise check baseUrl and the proxies.`;
}

/** The remedy of a stop, as its sentence ends with it; `detail`: what the journal keeps of it. */
export function stopAdvice(reason: StopReason, detail = ''): string {
  const { advice } = nights[reason];
  return typeof advice === 'string' ? advice : advice(detail);
}

/** The same as entries of the table, each of which applies where it is the reason of the last stop. */
export const nightRemedies: readonly Remedy[] = (Object.keys(nights) as (StopReason | NightCause)[]).map(
  (reason) => {
    const { words, who, urgent, next, concerns = () => true } = nights[reason];
    // What is left to do then is to go on.
    const isElsewhere = (left: Outstanding): boolean => left.stop?.reason === reason && !concerns(left);
    return {
      reason,
      who: (left) => (isElsewhere(left) ? 'us' : typeof who === 'string' ? who : who(left)),
      words,
      ...(urgent === undefined ? {} : { urgent }),
      applies: (left) =>
        reason === 'running'
          ? left.active !== undefined
          : left.active === undefined && left.stop?.reason === reason && concerns(left),
      what: (left) => whatOf(reason, words, left),
      advice: (left) => (isElsewhere(left) ? '' : adviceOf(reason, left.stop?.detail ?? '')),
      commands: (left) => [{ command: (isElsewhere(left) ? runAgain : next)(commandsAt(left.place), left) }],
    };
  },
);

function whatOf(reason: StopReason | NightCause, words: string, { active, stop, run }: Outstanding): string {
  if (reason === 'running') return active === undefined ? '' : `Run ${active.run} ${active.does}.`;
  if (asStopReason(reason) === undefined) {
    const told = stop === undefined || stop.detail === '' ? '' : ` It said: ${stop.detail}`;
    return `${inSentence(words)}.${told}`;
  }
  // The run's own end has an error line for it, with the whole reason.
  const stopped = run === undefined ? undefined : asStopReason(reason);
  if (stopped !== undefined && aboutStop(stopped).kind === 'fault')
    return `It stopped early: ${aboutStop(stopped).words}. First do what the error says.`;
  const detail = stop === undefined || stop.detail === '' ? `${words}.` : stop.detail;
  return `It stopped early: ${detail}${run === undefined ? '' : againText(reason, detail, run.dryRun)}`;
}

/** The run's own words may have said it. */
function adviceOf(reason: StopReason | NightCause, detail: string): string {
  const { advice } = nights[reason];
  const told = typeof advice === 'string' ? advice : advice(detail);
  return told === '' || detail.includes(told) ? '' : told;
}

/** A dry run keeps no place: it begins with the first accounts each time. */
function againText(reason: string, detail: string, isDryRun: boolean): string {
  const { advice } = nights[reason as StopReason];
  if (isDryRun && reason !== 'dry-run-ignored')
    return reason === 'limit'
      ? ' A dry run takes the first accounts each time: raise --limit to see more.'
      : ' A dry run starts from the beginning each time.';
  if (advice !== '' || /run the same command again/i.test(detail)) return '';
  return ' Run the same command again to continue.';
}
