import { withTotal, zeroCounts } from '../../domain/account-state.ts';
import type { SupplierOverview } from '../../journal/journal.ts';
import { counted, formatCount } from '../format.ts';
import { absentText } from '../status-table.ts';
import type { Tone } from './charts.ts';

export interface Verdict {
  readonly tone: Tone;
  readonly headline: string;
  readonly sentence: string;
}

/** The state of a supplier's migration, in words. */
export function verdictOn(overview: Pick<SupplierOverview, 'accounts' | 'absent'> | undefined): Verdict {
  const { accounts, absent = 0 } = overview ?? {};
  const gone = absent === 0 ? '' : ` ${absentText(absent)}`;
  const { total, completed, rejected, failed, uncertain, skipped, pending, staged, imported } = withTotal(
    accounts ?? zeroCounts(),
  );
  if (total === 0)
    return { tone: 'rest', headline: 'Nothing was run yet', sentence: `The journal has no accounts.${gone}` };
  if (completed === total)
    return {
      tone: 'good',
      headline: `Complete: all of ${counted(total, 'account')}`,
      sentence: `The platform accepted every account with all its data.${gone}`,
    };
  const unfinished = pending + staged + imported;
  const rest = [
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(uncertain > 0 ? [`${formatCount(uncertain)} uncertain`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished)} not finished`] : []),
  ];
  const share = Math.floor((completed / total) * 1000) / 10;
  return {
    tone: rejected + failed + uncertain > 0 ? 'bad' : 'warn',
    headline: `Not complete: ${formatCount(completed)} of ${counted(total, 'account')} (${share}%)`,
    sentence: `The others: ${rest.join(', ')}.${gone}`,
  };
}
