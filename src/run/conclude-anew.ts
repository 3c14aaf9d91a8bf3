import type { Config } from '../config/load-config.ts';
import type { Journal } from '../journal/journal.ts';
import { concludeSupplier, conclusionRules, type Concluded } from '../pipeline/account/conclusions.ts';
import { Leases } from '../pipeline/run/leases.ts';
import { counted } from '../report/format.ts';
import type { Environment, Reporter } from '../host/environment.ts';
import { leaseSettings } from './session/lease-settings.ts';
import { actorOf } from '../host/actor.ts';

/**
 * Puts accounts whose state an earlier version concluded by other rules where the present rules put them, once for a journal, and
 * says so. A supplier that a run holds is left to the next command.
 */
export async function concludeAnew(
  environment: Environment,
  config: Config,
  reporter: Pick<Reporter, 'info'>,
  journal: Journal,
): Promise<void> {
  const rules = await journal.upgrades.rules();
  if (rules >= conclusionRules) return;
  const { clock } = environment;
  const lease = leaseSettings(environment, config);
  const sum: Concluded = { rejected: 0, others: 0, uncertain: 0 };
  let isWhole = true;
  for (const { platform, supplier } of await journal.overview()) {
    const leases = new Leases(journal, platform, lease, clock, () => undefined);
    if ((await leases.take(supplier)) !== undefined) {
      isWhole = false;
      continue;
    }
    // The work itself reports a failure of the journal.
    const alive = leases.keepAlive().catch(() => undefined);
    try {
      const isHarmless500 = config.paymentRefusalAfter500 ?? config.baseUrl === undefined;
      const found = await concludeSupplier(
        journal,
        { platform, supplier },
        { at: clock.now(), isHarmless500 },
      );
      sum.rejected += found.rejected;
      sum.others += found.others;
      sum.uncertain += found.uncertain;
    } finally {
      await leases.release();
      await alive;
    }
  }
  const accounts = sum.rejected + sum.others;
  const by = { at: clock.now(), by: actorOf(environment), accounts };
  await journal.upgrades.concluded(isWhole ? conclusionRules : rules, by);
  if (accounts > 0) reporter.info(concludedText(sum));
}

function concludedText({ rejected, others, uncertain }: Concluded): string {
  const what =
    rejected > 0
      ? `${counted(rejected, 'account')} ${rejected === 1 ? 'is' : 'are'} no longer rejected`
      : `${counted(others, 'account')} ${others === 1 ? 'is' : 'are'} concluded by new rules`;
  const settled = rejected + others - uncertain;
  const next = [
    ...(settled === 0 ? [] : [`The next run settles ${counted(settled, 'account')}.`]),
    ...(uncertain === 0
      ? []
      : [
          `${counted(uncertain, 'account')} ${uncertain === 1 ? 'waits' : 'wait'} for a ruling: see migrate list --state uncertain.`,
        ]),
  ];
  return [
    `${what}: the platform refused the repetition of a request whose answer was lost, so the lost request may have had its effect.`,
    ...next,
  ].join(' ');
}
