import { counted } from './format.ts';
import type { RunPace } from '../domain/found-pace.ts';
import type { RunEnding } from './ending.ts';

/** Refusals of a gateway after which its rate is worth a setting. */
const enough = 5;

/** What of a run the advice needs. */
type Refusals = Pick<RunPace, 'acceptedPerSecond' | 'unclear'>;

/** The settings that would have kept a gateway from refusing, and its refusals from being in doubt. */
export function paceAdvice({
  pace,
  knowsNotDelivered,
}: { readonly pace?: Refusals | undefined } & Pick<RunEnding, 'knowsNotDelivered'>): string[] {
  if (pace === undefined || pace.unclear < enough) return [];
  const { acceptedPerSecond: rate, unclear } = pace;
  const set = rate === null ? '' : ` Set \`rate: ${rate}\`: so many a second were accepted.`;
  const confirm =
    knowsNotDelivered === true
      ? ''
      : ' If the operator of the gateway confirms that this answer means that the request was not delivered, set `notDelivered: [{ status: 503 }]`.';
  return [
    `A gateway answered ${counted(unclear, 'request')} with 503, probably because there were too many. Whether it delivered them is not known.${set}${confirm}`,
  ];
}
