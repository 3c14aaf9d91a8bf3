import type { AccountPayload, SupplyPoint } from '../schemas/account.ts';
import type { RuleCode } from '../rule-codes.ts';
import { each } from './guarded.ts';
import type { Report, Rule } from './rule.ts';

/** A rule on each supply point; `at` gives its own path. */
function supplyPointRule(
  code: RuleCode,
  check: (point: SupplyPoint, at: () => string, report: Report) => void,
): Rule<AccountPayload> {
  return {
    code,
    check({ supply_addresses }, report) {
      each(supply_addresses, ({ supply_points }, index) =>
        each(supply_points, (point, place) =>
          check(point, () => `supply_addresses.${index}.supply_points.${place}`, report),
        ),
      );
    },
  };
}

/**
 * An agreement has no end: it lasts until the next one takes effect, whatever the order of the list. So there
 * are no gaps, and two agreements overlap if they take effect on the same day.
 */
const agreementsFollow = supplyPointRule(
  'gaps_or_overlaps_in_agreement_dates',
  ({ agreements }, at, report) => {
    const seen = new Set<string>();
    each(agreements, ({ effective_from: from }, index) => {
      if (seen.has(from))
        report(`${at()}.agreements.${index}.effective_from`, `Two agreements take effect on ${from}.`);
      seen.add(from);
    });
  },
);

const notBeforeSupply = supplyPointRule(
  'agreement_starting_before_meter_point_ssd',
  ({ agreements, supply_start_date: start }, at, report) => {
    if (start === undefined) return;
    each(agreements, ({ effective_from: from }, index) => {
      if (from < start)
        report(
          `${at()}.agreements.${index}.effective_from`,
          `${from} is before the supply start date, ${start}.`,
        );
    });
  },
);

const billedDateCovered = supplyPointRule(
  'no_agreement_covering_last_billed_to_date',
  ({ agreements = [], last_billed_to_date: billed }, at, report) => {
    if (billed === undefined || agreements.length === 0) return;
    if (agreements.every(({ effective_from }) => effective_from > billed))
      report(`${at()}.last_billed_to_date`, `Every agreement takes effect after ${billed}.`);
  },
);

export const agreementRules = [agreementsFollow, notBeforeSupply, billedDateCovered];
