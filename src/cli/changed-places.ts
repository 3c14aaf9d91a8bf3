import type { Config } from '../config/load-config.ts';
import { oneCell, type Cell } from '../domain/cell.ts';
import type { StepName } from '../domain/steps.ts';
import type { AccountEntry } from '../journal/journal.ts';
import type { AccountPlan } from '../mapping/plan.ts';
import { changesSinceSent, type ChangeSinceSent } from '../pipeline/account/changes-since-sent.ts';
import { printOf } from '../pipeline/hash.ts';
import { cuttingOf } from '../run/pipeline-settings.ts';

/** A change since an account was sent, with its cell now. */
export interface ChangedPlace extends ChangeSinceSent {
  /** Absent if no cell has it: a record that is gone, or a value that the tool sets. */
  readonly cell?: Cell | undefined;
}

/** Where an account's data is not as it was sent, as far as the journal shows. */
export function changedPlaces(
  plan: AccountPlan,
  entry: AccountEntry,
  config: Config,
): readonly ChangedPlace[] {
  const { payloadHash } = printOf(plan);
  return changesSinceSent(plan, payloadHash, entry, cuttingOf(config)).map((change) => ({
    ...change,
    cell: change.is === 'gone' ? undefined : cellOf(plan, change.step, change),
  }));
}

function cellOf(plan: AccountPlan, step: StepName, { path, request }: ChangeSinceSent): Cell | undefined {
  const cell = plan.locate(step, path, request);
  return cell && oneCell(cell);
}
