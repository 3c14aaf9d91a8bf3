import { readRegular } from '../../domain/trusted-file.ts';
import { resolve } from 'node:path';
import type { KnownValues } from '../../conformance/payloads.ts';
import type { CheckOutcome, CheckResult } from '../../conformance/check.ts';
import type { TenancyContract } from '../../contract/tenancy/contract.ts';
import type { Config } from '../../config/load-config.ts';
import { exitCodes, type ExitCode } from '../../domain/exit-codes.ts';
import { withPublished, type AddedStep } from '../../domain/added-step.ts';
import { isJsonObject, parseJson } from '../../domain/json.ts';
import { stepNames } from '../../domain/steps.ts';
import { counted } from '../../report/format.ts';
import { paragraph } from '../../report/paragraph.ts';
import type { CommandResult, Printer } from '../../report/printer.ts';
import type { Page } from '../../report/terminal.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { Shell } from '../shell.ts';
import { conclude, resolveSettings } from '../conclude.ts';
import { clientOptionsFor } from '../../run/session/connect.ts';
import { readContract } from '../../run/effective-rules.ts';
import { accountsMade, checksFor, runChecks } from '../../conformance/run-checks.ts';
import { Payloads } from '../../conformance/payloads.ts';
import { CannotAsk, Sandbox } from '../../conformance/sandbox.ts';
import { ownWritesCheck } from '../own-writes-check.ts';
import { platformAddress } from '../../config/platform-address.ts';
import type { ConformanceFlags } from '../usages/conformance.ts';

/** `migrate conformance`: checks a platform against the interface. */
export function conformance(shell: Shell, url: string, flags: ConformanceFlags): Promise<ExitCode> {
  return conclude(shell, 'conformance', flags, (printer) => check(shell, url, flags, printer));
}

/** Makes every check, and reports each with the sentence that it is based on. */
async function check(
  shell: Shell,
  address: string,
  flags: ConformanceFlags,
  printer: Printer,
): Promise<CommandResult> {
  const url = originOf(address);
  const config = await resolveSettings(shell, flags);
  requireOwnCredentials(shell, config, url);
  const contract = await readContract(config, printer);
  const supplier = supplierOf(config, contract);
  const steps = withPublished(config.steps);
  const payloads = new Payloads({
    supplier,
    team: teamOf(config, contract),
    contract,
    known: await knownValues(shell, flags.payloads, steps),
    now: shell.clock.now(),
  });
  const suppliers = { paused: flags.pausedSupplier, complete: flags.completeSupplier };
  const options = await clientOptionsFor(shell, config, url);
  const reading = flags.readBack === true ? ownWritesCheck(shell, config, options) : undefined;
  const checks = [
    ...checksFor(payloads, suppliers, steps),
    ...(reading === undefined ? [] : [reading.check]),
  ];
  const made = accountsMade(checks);
  const run = Math.floor(shell.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')
    .toUpperCase();
  const platform = new Sandbox(options, { supplier, run });
  const results: CheckResult[] = [];
  let isStopped = false;
  const ignoreInterrupts = shell.onInterrupt(() => void (isStopped = true));
  try {
    printer.info(
      `${counted(checks.length, 'check')} of ${url}. They create ${counted(made.created, 'account')} of the supplier ${supplier}, ` +
        `stage ${counted(made.staged, 'more account')}, and add notes, transactions, documents and statements to the created ` +
        `accounts. ${itemsMade(contract, steps)}Account numbers begin with ${platform.prefix}. None of this can be deleted: the interface has no way to do it.`,
    );
    await askFirst(shell, flags, url, made.created);
    printer.progress.begin(checks.length, 'check');
    await runChecks(
      checks,
      platform,
      payloads,
      (result) => {
        results.push(result);
        printer.progress.advance(1);
        printer.line({ type: 'check', ...result });
      },
      () => isStopped,
    );
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    throw error.reason === 'credentials'
      ? new CannotStart(
          exitCodes.credentialsRefused,
          `${url} refused the credentials (${error.message}). Check the API key or token.`,
        )
      : new CannotStart(
          exitCodes.unavailable,
          `${url} cannot be checked: ${error.message}. Check the address, or try again later.`,
        );
  } finally {
    ignoreInterrupts();
    await platform.close();
    await reading?.close();
  }
  const count = (wanted: CheckOutcome): number => results.filter(({ outcome }) => outcome === wanted).length;
  return {
    exit: exitOf(isStopped, count('failed')),
    summary: {
      ...{ url, supplier, checks: results.length, passed: count('passed'), failed: count('failed') },
      ...{ notOffered: count('not_offered'), notChecked: count('not_checked') },
      ...{ requests: platform.requests, accountPrefix: platform.prefix },
      ...(reading === undefined ? {} : { readsOwnWrites: readsOwnWrites(results) }),
    },
    text: (page) =>
      [
        ...results.map((result) => resultText(page, result)),
        '',
        `${count('passed')} passed, ${count('failed')} failed, ${count('not_offered')} not offered, ${count('not_checked')} not checked.`,
        ...(readsOwnWrites(results) === true
          ? [
              paragraph(
                page,
                'The platform reads its own writes, as far as notes show: readBack.absence: settles is possible.',
                '',
              ),
            ]
          : []),
      ].join('\n'),
  };
}

/** What the checks leave on the platform besides accounts. */
function itemsMade(contract: TenancyContract | undefined, steps: readonly AddedStep[]): string {
  const added = steps.filter(({ path }) => contract?.added(path) !== undefined).map(({ name }) => name);
  const items = added.length === 0 ? '' : `They send an item of each added step (${added.join(', ')}). `;
  return contract?.registers === true
    ? `${items}They mark meter points of an account for registration. `
    : items;
}

/** Whether the platform shows at once what it has done; null if that was not measured. */
function readsOwnWrites(results: readonly CheckResult[]): boolean | null {
  const outcome = results.find(({ section }) => section === 'read-back')?.outcome;
  return outcome === 'passed' ? true : outcome === 'failed' ? false : null;
}

function exitOf(isStopped: boolean, failed: number): ExitCode {
  if (isStopped) return exitCodes.stoppedEarly;
  return failed > 0 ? exitCodes.accountsRejected : exitCodes.done;
}

function originOf(address: string): string {
  const read = platformAddress.safeParse(address);
  if (read.success) return read.data;
  throw new CannotStart(
    exitCodes.usage,
    `${address} ${read.error.issues[0]?.message ?? 'is not an address'}.`,
  );
}

/** The credentials of a profile are sent only to that profile's platform. */
function requireOwnCredentials(shell: Shell, { baseUrl }: Config, url: string): void {
  const { MIGRATE_API_KEY: key = '', MIGRATE_TOKEN: token = '' } = shell.env;
  if (baseUrl === undefined || baseUrl === url || key !== '' || token !== '') return;
  throw new CannotStart(
    exitCodes.usage,
    `The configured credentials are for ${baseUrl}, not for ${url}. Choose another profile with --profile, or set MIGRATE_API_KEY.`,
  );
}

function supplierOf(config: Config, contract: TenancyContract | undefined): string {
  const listed = contract?.at('stage', 'import_supplier')?.values?.find((value) => typeof value === 'string');
  const supplier = config.supplier ?? listed;
  if (supplier !== undefined) return supplier;
  throw new CannotStart(
    exitCodes.usage,
    'No import supplier is named. Name one that is Ongoing with --supplier.',
  );
}

/** Undefined if the tenancy's contract does not require a team. */
function teamOf({ team }: Config, contract: TenancyContract | undefined): string | undefined {
  const process = contract?.field('process');
  const isOptional = process !== undefined && !process.required.has('operations_team_name');
  if (team !== undefined || isOptional) return team;
  throw new CannotStart(
    exitCodes.usage,
    'No operations team is named. Name one that the platform knows with --team.',
  );
}

async function knownValues(
  shell: Shell,
  file: string | undefined,
  steps: readonly AddedStep[],
): Promise<KnownValues> {
  if (file === undefined) return {};
  let values;
  try {
    values = parseJson((await readRegular(resolve(shell.cwd, file))).toString('utf8'));
  } catch {
    throw new CannotStart(exitCodes.usage, `${file} cannot be read as JSON. Check the path and the file.`);
  }
  const names: readonly string[] = [...stepNames, ...steps.map(({ name }) => name)];
  const isKnown =
    isJsonObject(values) &&
    Object.entries(values).every(([name, payload]) => names.includes(name) && isJsonObject(payload));
  if (isKnown) return values as KnownValues;
  throw new CannotStart(
    exitCodes.usage,
    `${file} must be an object with a payload by step: ${names.join(', ')}.`,
  );
}

async function askFirst(
  shell: Shell,
  { yes }: ConformanceFlags,
  url: string,
  accounts: number,
): Promise<void> {
  if (yes === true) return;
  if (!shell.interactive)
    throw new CannotStart(
      exitCodes.usage,
      `This creates accounts on ${url}, and there is no terminal for a confirmation. Add --yes.`,
    );
  if (!(await shell.confirm(`Create ${counted(accounts, 'account')} on ${url}?`)))
    throw new CannotStart(exitCodes.stoppedEarly, 'Nothing was sent.');
}

const words: Readonly<Record<CheckOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  not_offered: 'not offered',
  not_checked: 'not checked',
};

function resultText(page: Page, { section, sentence, subject, outcome, details }: CheckResult): string {
  const { green, red, dim } = page.paint;
  const paint = { passed: green, failed: red, not_offered: dim, not_checked: dim }[outcome];
  const about = subject === undefined ? '' : ` (${subject})`;
  const margin = ' '.repeat(23);
  return [
    `${paint(words[outcome].padEnd(12))} ${section.padEnd(9)} ${paragraph(page, `${sentence}${about}`, margin).trimStart()}`,
    ...details.map((detail) => paragraph(page, detail, `${margin}  `)),
  ].join('\n');
}
