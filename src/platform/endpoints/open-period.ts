import { utcDate } from '../../domain/clock.ts';
import { platformDate, type PlatformContext } from '../platform-context.ts';
import type { StagedAccount } from './staged-account.ts';

/** The open statement period (section 4, rule 6), both dates included. */
export interface Period {
  /** Absent: open since ever. */
  readonly from?: string;
  readonly to: string;
}

const day = 24 * 3600 * 1000;

/** The operator's period, or from the day after the account's last statement until today. */
export function openPeriod({ lastClosed }: StagedAccount, context: PlatformContext): Period {
  const set = context.operator().openStatementPeriod;
  if (set !== undefined) return set;
  const to = platformDate(context);
  if (lastClosed === undefined) return { to };
  const from = utcDate(Date.parse(lastClosed) + day);
  return { from, to: to < from ? from : to };
}
