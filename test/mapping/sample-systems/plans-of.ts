import { openPlans } from '../../../src/run/reading/open-plans.ts';
import { systemShell } from '../../../src/cli/shell.ts';
import type { AccountPlan } from '../../../src/mapping/plan.ts';
import { createPrinter } from '../../../src/report/printer.ts';
import { terminalOf } from '../../../src/report/terminal.ts';

/** Every account of an export as its plan, and what was warned of while the export was opened. */
export async function plansOf(
  path: string,
  mapping?: string,
): Promise<{ readonly plans: readonly AccountPlan[]; readonly told: string; readonly faults: number }> {
  let told = '';
  const stream = terminalOf({ write: (text: string) => ((told += text), true) }, {}, true);
  const shell = systemShell();
  const printer = createPrinter({ stdout: stream, stderr: stream, clock: shell.clock, quiet: true });
  const opened = await openPlans(shell, printer, path, mapping === undefined ? {} : { mapping });
  const plans: AccountPlan[] = [];
  for await (const plan of opened.plans) plans.push(plan);
  opened.close();
  return { plans, told, faults: opened.faults.length };
}
