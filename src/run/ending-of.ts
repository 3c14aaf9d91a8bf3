import { definedFields } from '../domain/defined-fields.ts';
import { exitCodeOf, exitCodes } from '../domain/exit-codes.ts';
import type { RunResult } from '../pipeline/run/run-migration.ts';
import { stopDetail } from '../report/advice/stop-detail.ts';
import type { RunEnding } from '../report/ending.ts';
import type { ProblemSink } from './reading/problem-sink.ts';
import type { RunRequest } from './run-request.ts';
import { placeOf } from './session/connect.ts';
import { isError, whyNotJoined } from './stop-messages.ts';
import { noSuchSupplier } from '../domain/no-such-supplier.ts';

/** What is reported of a run that has ended. `unwritten`: what of its outputs could not be written. */
export function endingOf(
  result: RunResult,
  request: RunRequest,
  outlet: ProblemSink,
  unwritten: readonly string[] = [],
): RunEnding {
  const { stop, heldBy, exit, otherSuppliers, ...figures } = result;
  const { supplier } = request.config;
  const unknown = otherSuppliers === undefined ? [] : [noSuchSupplier(supplier, otherSuppliers)];
  const notJoined = heldBy?.sharedWith === undefined ? '' : ` ${whyNotJoined(request)}`;
  const stopped = stop && {
    reason: stop.reason,
    detail: `${stopDetail(stop.reason, stop.detail, heldBy)}${notJoined}`,
  };
  const { totals, errors: unlisted } = outlet.complete();
  const errors = [...unlisted, ...unwritten];
  return definedFields({
    ...figures,
    ignoredRows: null,
    knowsNotDelivered: request.config.notDelivered !== undefined,
    ...placeOf(request.config),
    dryRun: request.dryRun ?? false,
    problems: totals,
    exit: exitCodeOf([exit, ...(errors.length > 0 ? [exitCodes.usage] : [])]),
    errors: [
      ...errors,
      ...unknown,
      ...(stopped !== undefined && isError(stopped.reason) ? [stopped.detail] : []),
    ],
    stopped,
  });
}
