import { alreadyHeldCodes, changedAfterImport, unknownCode } from '../../domain/shared-codes.ts';
import { changedTexts } from '../changed-text.ts';
import { copiedRowsText } from '../copied-rows-text.ts';
import { failingStepsText } from '../failing-steps-text.ts';
import { causeOf, mostConcerned } from '../failures/causes.ts';
import { faultsOfNoAccount } from '../faults-of-no-account.ts';
import { counted, formatCount, inSentence } from '../format.ts';
import { paceAdvice } from '../pace-advice.ts';
import { sizeAdvice } from '../size-advice.ts';
import { toDoText } from '../to-do.ts';
import { commandsAt, leftOutText, othersText, type Commands } from './commands.ts';
import type { NightReason } from './night-reason.ts';
import { nightRemedies } from './nights.ts';
import { toCorrect, unfinishedIn, type Outstanding } from './outstanding.ts';
import type { NextCommand, Remedy, WhoActs } from './remedy.ts';

const nothing = (): string => '';
const passNumbers = 'Pass the new account numbers on to downstream systems.';
const none = (): readonly NextCommand[] => [];

/** What is left of a book, in the order in which it is to be done. */
const ofBook: readonly Remedy[] = [
  {
    reason: 'doubled',
    who: 'platform',
    words: 'accounts share a platform number',
    applies: ({ doubled }) => doubled > 0,
    what: ({ doubled }) => `${counted(doubled, 'account')} share a platform number`,
    advice: () => 'find out which account each number belongs to.',
    commands: typed(({ reconcile }) => [reconcile]),
  },
  {
    reason: 'uncertain',
    who: 'us',
    words: 'accounts are uncertain',
    applies: ({ accounts }) => accounts.uncertain > 0,
    what: ({ accounts }) => `${formatCount(accounts.uncertain)} uncertain`,
    advice: (left) =>
      `find out on the platform whether the step took effect, and record a ruling${
        needsList(left) ? ': write done or repeat into the column ruling of the list' : ''
      }. Nothing is sent again until then.`,
    commands: rulingCommands,
  },
  {
    reason: 'lost',
    who: 'data',
    words: 'accounts left the export before they were created',
    applies: ({ lost }) => lost > 0,
    what: ({ lost }) =>
      `${counted(lost, 'account')} left the export before ${lost === 1 ? 'it was' : 'they were'} created`,
    advice: () => 'check that the export is whole.',
    commands: typed(({ plan, list, resolveGone }) => [
      plan,
      { when: 'This names them:', command: list('--gone') },
      {
        when: 'If they left it on purpose, this records it, and they are told no more:',
        command: resolveGone,
      },
    ]),
  },
  {
    reason: 'copied-rows',
    who: 'data',
    applies: ({ run }) => run?.copied !== undefined,
    what: nothing,
    advice: ({ run }) =>
      run?.copied === undefined ? '' : copiedRowsText(run.copied.accounts, run.copied.to),
    commands: none,
  },
  {
    reason: 'rejected',
    // Cells come first where there are any to correct.
    who: (left) => {
      const who = concernedBy(left);
      return who.size === 1 ? ([...who][0] ?? 'data') : 'data';
    },
    words: 'accounts were rejected',
    // The reason of the stop says what to correct; copied rows have a text of their own.
    applies: (left) =>
      toCorrect(left) > 0 && left.run?.copied === undefined && left.stop?.reason !== 'same-refusal',
    what: (left) => `${formatCount(toCorrect(left))} rejected`,
    advice: (left) =>
      isForPlatform(left)
        ? "ask the platform's operator to correct what the list names. The next run sends them again unchanged after `migrate retry`."
        : `correct the cells that the list names${
            concernedBy(left).has('platform') ? ", and ask the platform's operator for what it refuses" : ''
          }, then run the same command again.`,
    commands: (left) => {
      const { list, validate, run, retry } = commandsAt(left.place);
      const listed = { command: list('--state rejected') };
      if (isForPlatform(left)) return [listed, { command: retry }, { command: run }];
      return [
        listed,
        { command: validate },
        { command: run },
        // What a check refused was never sent.
        ...(left.isRefusedThere === false
          ? []
          : [
              {
                when: 'If the data is right, and a setting or the platform was at fault, the next run sends them again unchanged after this:',
                command: retry,
              },
            ]),
      ];
    },
  },
  {
    reason: 'unknown-codes',
    who: 'us',
    words: 'the export has codes that the code tables do not have',
    applies: ({ unknownCodes, stop }) => unknownCodes > 0 && stop?.reason !== 'same-refusal',
    what: ({ unknownCodes }) =>
      `${formatCount(unknownCodes)} rejected for codes that a code table of the mapping does not have`,
    advice: () =>
      'check first that the table is whole: it may have been cut short, or be another one. Add what it lacks, then run the same command again. Where the code itself is wrong, its owner has to correct the cell.',
    commands: typed(({ list, validate, run }) => [list(`--code ${unknownCode}`), validate, run]),
  },
  {
    reason: 'changed',
    who: 'us',
    words: 'accounts changed after the import',
    applies: ({ changed }) => changed > 0,
    what: nothing,
    advice: ({ changed, changedBy }) => changedTexts(changed, changedBy).join(' '),
    commands: typed(({ list, explainEarlier, resolve }) => [
      list(`--code ${changedAfterImport}`),
      {
        when: 'If you have the export that was sent, this shows what changed in it:',
        command: explainEarlier,
      },
      {
        when: 'If an account was corrected on the platform by hand, this records it:',
        command: resolve('ACCOUNT', '--as corrected'),
      },
    ]),
  },
  {
    reason: 'already-held',
    who: 'us',
    words: 'the platform has data already that it was sent again',
    applies: ({ alreadyHeld }) => alreadyHeld > 0,
    what: ({ alreadyHeld }) =>
      `${formatCount(alreadyHeld)} rejected, because the platform has something of theirs already`,
    advice: () =>
      'no cell is wrong for that. Compare them with the platform. Where it has what the export has, write done into the column ruling of the list, and record it; the next run continues. Where it has something else, its owner has to decide.',
    commands: typed(({ list, resolveFrom }) => [
      list('--state rejected --csv rejected.csv'),
      { when: 'Once the rows have their rulings:', command: resolveFrom('rejected.csv') },
    ]),
  },
  {
    reason: 'refused-data',
    who: 'data',
    words: 'data of accounts that arrived earlier is refused now',
    applies: ({ refusedData }) => refusedData > 0,
    what: ({ refusedData }) =>
      `${counted(refusedData, 'account')} that arrived earlier ${refusedData === 1 ? 'has' : 'have'} data in the export now that is refused. What arrived stays as it is, and nothing more is sent.`,
    advice: ({ run, place }) =>
      run?.copied === undefined
        ? `correct the cells that \`${commandsAt(place).validate}\` names, then run the same command again.`
        : '',
    commands: typed(({ validate, run }) => [validate, run]),
  },
  {
    reason: 'no-supplier',
    who: 'data',
    words: 'accounts of the export name no import supplier',
    applies: ({ withoutSupplier }) => withoutSupplier !== undefined,
    what: ({ withoutSupplier }) =>
      `${counted(withoutSupplier?.accounts ?? 0, 'account')} without an import supplier`,
    advice: () => 'correct their rows in the export, then run the same command again.',
    commands: ({ withoutSupplier, place }) => {
      const { validate, validateOther, run } = commandsAt(place);
      const checked = withoutSupplier === undefined ? validate : validateOther(withoutSupplier.export);
      return [{ command: checked }, { command: run }];
    },
  },
  {
    reason: 'faults',
    who: 'data',
    words: 'rows of the export belong to no account',
    applies: ({ faults }) => faults !== 0,
    what: nothing,
    advice: ({ faults, place }) =>
      faultsOfNoAccount(faults, `\`${commandsAt(place).validate}\` names ${faults === 1 ? 'it' : 'them'}`),
    commands: typed(({ validate, run }) => [validate, run]),
  },
  {
    reason: 'failing-steps',
    who: 'platform',
    applies: ({ run }) => (run?.failingSteps ?? []).length > 0,
    what: nothing,
    advice: ({ run, stop }) =>
      failingStepsText({
        failingSteps: run?.failingSteps,
        isUnavailable: stop?.reason === 'unavailable',
      }).join(' '),
    commands: typed(({ list }) => [list('--summary')]),
  },
  {
    reason: 'failed',
    who: whoFailed,
    words: 'accounts failed',
    applies: ({ accounts, active }) => active === undefined && accounts.failed > 0,
    what: ({ accounts }) => `${formatCount(accounts.failed)} failed`,
    advice: (left) =>
      whoFailed(left) === 'platform'
        ? "ask the platform's operator to remove the cause that the list names, then run the same command again; it tries them as they are."
        : 'run the same command again; it tries them as they are.',
    commands: typed(({ list, run }) => [list('--state failed'), run]),
  },
  {
    reason: 'steps-excluded',
    who: 'us',
    applies: (left) => left.run?.dryRun === false && left.stop === undefined && unfinishedIn(left) > 0,
    what: ({ accounts }) => toDoText(accounts),
    advice: () => 'they wait for steps that --steps excluded. Run without it.',
    commands: none,
  },
  {
    reason: 'not-taken',
    who: 'us',
    applies: ({ run, stop }) => run?.dryRun === false && stop === undefined && run.notTaken > 0,
    what: nothing,
    advice: ({ run }) =>
      `${formatCount(run?.notTaken ?? 0)} pending that this run did not take. Run the whole export, without --accounts.`,
    commands: none,
  },
  {
    reason: 'unfinished',
    who: 'us',
    applies: (left) => left.run === undefined && left.active === undefined && unfinishedIn(left) > 0,
    what: ({ accounts }) => toDoText(accounts),
    advice: againAdvice,
    commands: typed(({ run }) => [run]),
  },
  {
    reason: 'partly-read',
    who: 'us',
    applies: (left) =>
      left.isPartlyRead && left.active === undefined && left.accounts.failed + unfinishedIn(left) === 0,
    what: () => 'An export was not read to its end',
    advice: againAdvice,
    commands: typed(({ run }) => [run]),
  },
  {
    reason: 'not-ours',
    who: 'us',
    words: 'the platform has accounts that this journal did not create',
    applies: ({ accounts, ruledNotOurs }) => accounts.skipped > ruledNotOurs,
    what: ({ accounts, ruledNotOurs }) => `${formatCount(accounts.skipped - ruledNotOurs)} skipped`,
    advice: () =>
      'the platform has them, and this journal did not create them. Find out who did. To leave them alone, write skip into the column ruling of the list, and record it. If they are yours, --adopt continues with them.',
    commands: typed(({ list, resolveFrom }) => [
      list('--state skipped --csv theirs.csv'),
      { when: 'Once the rows have their rulings:', command: resolveFrom('theirs.csv') },
    ]),
  },
  {
    reason: 'pace',
    who: 'platform',
    applies: ({ run }) => run !== undefined && paceAdvice(run).length > 0,
    what: nothing,
    advice: ({ run }) => (run === undefined ? '' : paceAdvice(run).join(' ')),
    commands: none,
  },
  {
    reason: 'size',
    who: 'platform',
    applies: ({ run }) => run?.bodyLimit !== undefined,
    what: nothing,
    advice: ({ run }) => (run === undefined ? '' : sizeAdvice(run).join(' ')),
    commands: none,
  },
];

/** Everything that is to be mended, in its order. */
export const remedies: readonly Remedy[] = [...nightRemedies, ...ofBook];

const isOpen = (left: Outstanding): boolean => remedies.some(({ applies }) => applies(left));

/** What comes after, or before the first run. */
const closing: readonly Remedy[] = [
  {
    reason: 'done',
    who: 'us',
    words: 'everything is done',
    // What a comparison found is corrected first.
    applies: (left) =>
      left.accounts.completed > 0 && left.isProved !== true && !(left.isCompared === true && isOpen(left)),
    what: nothing,
    advice: ({ isProved = false, isCompared = false }) =>
      isProved
        ? passNumbers
        : isCompared
          ? 'The comparison since the last run found differences: this compares again, and lists each.'
          : 'Prove that everything arrived: compare the accounts of export, journal and platform, and to the last penny what the export has with what the platform acknowledged.',
    commands: (left) => {
      const { reconcile, numbers } = commandsAt(left.place);
      return [{ command: left.isProved === true ? numbers : reconcile }];
    },
  },
  {
    reason: 'numbers',
    who: 'us',
    applies: (left) => left.accounts.completed > 0 && !isOpen(left),
    what: nothing,
    advice: () => passNumbers,
    commands: typed(({ numbers }) => [numbers]),
  },
  {
    reason: 'new',
    who: 'us',
    applies: (left) => left.accounts.completed === 0 && !isOpen(left),
    what: nothing,
    advice: () => 'Check the export, then run it.',
    commands: typed(({ validate, run }) => [validate, run]),
  },
];

/** A step to do next, in the form of a list. */
export interface NextStep {
  readonly reason: Remedy['reason'];
  readonly who: WhoActs;
  /** Whole sentences. */
  readonly sentence: string;
  readonly commands: readonly NextCommand[];
  /** Why it cannot wait until the working day; absent if it can. */
  readonly urgent?: string;
}

/** What has to be mended, most urgent first. */
export function openSteps(left: Outstanding): readonly NextStep[] {
  return stepsOf(remedies, left);
}

/** The same, and what comes after it. */
export function nextSteps(left: Outstanding): readonly NextStep[] {
  return stepsOf([...remedies, ...closing], left);
}

function stepsOf(table: readonly Remedy[], left: Outstanding): readonly NextStep[] {
  return table
    .filter(({ applies }) => applies(left))
    .map((remedy) => {
      const commands = remedy.commands(left);
      const sentence = sentenceOf(remedy.what(left), remedy.advice(left));
      const more = [leftOutIn(commands, left), waitFor(remedy, left)].filter((text) => text !== '');
      return {
        reason: remedy.reason,
        who: whoIn(remedy, left),
        sentence: [sentence, ...more].join(' '),
        commands,
        ...(remedy.urgent === undefined ? {} : { urgent: remedy.urgent }),
      };
    });
}

/** Nothing is corrected, ruled on or run beside a run of the same accounts. */
function waitFor({ reason }: Remedy, { active }: Outstanding): string {
  return active === undefined || reason === 'running'
    ? ''
    : `Run ${active.run} is under way: wait for its end first.`;
}

/** What runs are given is not known of those of earlier versions, and of the module. */
function againAdvice({ place }: Outstanding): string {
  return place.options === undefined
    ? 'run the same command again, with the flags of your runs.'
    : 'run the same command again.';
}

/** Who must act, most of all. */
export function whoIn({ who }: Pick<Remedy, 'who'>, left: Outstanding): WhoActs {
  return typeof who === 'string' ? who : who(left);
}

/** Who can remove the causes of most failures. */
function whoFailed({ causes = [] }: Outstanding): WhoActs {
  return mostConcerned(causes.filter(({ state }) => state === 'failed')) ?? 'us';
}

/** The causes of the accounts that `rejected` tells of: the others have advice of their own. */
function rejectedCauses({ causes = [] }: Outstanding): NonNullable<Outstanding['causes']> {
  const others = [unknownCode, changedAfterImport, ...alreadyHeldCodes];
  return causes.filter(({ state, code }) => state === 'rejected' && !others.includes(code));
}

/** Everybody who must act for some of them. */
function concernedBy(left: Outstanding): ReadonlySet<WhoActs> {
  return new Set(rejectedCauses(left).map(({ state, code }) => causeOf(state, code).who));
}

/** Whether the platform's operator can correct all of the causes, and nobody else any. */
function isForPlatform(left: Outstanding): boolean {
  const who = concernedBy(left);
  return who.size === 1 && who.has('platform');
}

/** What the command of a run leaves out of the last one; '' if that is nothing. The end of a run shows no such command. */
export function leftOutIn(commands: readonly NextCommand[], { place, run }: Outstanding): string {
  const has = (name: string) => commands.some(({ command }) => command.startsWith(`migrate ${name} `));
  if (has('reconcile')) return othersText(place);
  return has('run') && run === undefined ? leftOutText(place) : '';
}

function sentenceOf(what: string, advice: string): string {
  if (what === '') return advice;
  if (advice === '') return what;
  return what.endsWith('.') ? `${what} ${inSentence(advice)}` : `${what}: ${advice}`;
}

const byReason = new Map<string, Remedy>([...remedies, ...closing].map((remedy) => [remedy.reason, remedy]));

/** The entry of a night's reason. */
export function remedyOf(reason: NightReason): Remedy & { readonly words: string } {
  const found = byReason.get(reason);
  if (found?.words === undefined) throw new Error(`no advice for ${reason}`);
  return { ...found, words: found.words };
}

/** Whether the table has this reason for a night: a journal may have one of a later version. */
export function isNightReason(reason: string): reason is NightReason {
  return byReason.get(reason)?.words !== undefined;
}

function typed(choose: (commands: Commands) => readonly (string | NextCommand)[]): Remedy['commands'] {
  return ({ place }) =>
    choose(commandsAt(place)).map((one) => (typeof one === 'string' ? { command: one } : one));
}

/** Many are ruled on by a list. */
function needsList({ accounts, uncertain }: Outstanding): boolean {
  return accounts.uncertain > 1 || uncertain === undefined;
}

/** For one account the rulings themselves, for many the list to fill in. */
function rulingCommands(left: Outstanding): readonly NextCommand[] {
  const { uncertain } = left;
  const { show, resolve, list, resolveFrom } = commandsAt(left.place);
  if (needsList(left) || uncertain === undefined)
    return [
      { command: list('--state uncertain --csv uncertain.csv') },
      { when: 'Once every row has its ruling:', command: resolveFrom('uncertain.csv') },
    ];
  const { account, step } = uncertain;
  const shown = { command: show(account) };
  if (step === undefined) return [shown];
  const ruling = (as: string, when: string): NextCommand => ({
    when,
    command: resolve(account, `--step ${step} --as ${as}`),
  });
  return [
    shown,
    ruling('done', 'If the step took effect:'),
    ruling('repeat', 'If it did not:'),
    ...(step === 'process' ? [ruling('skip', 'If someone else has created the account:')] : []),
  ];
}
