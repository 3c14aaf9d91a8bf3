import type { Config } from '../config/load-config.ts';
import { exitCodes } from '../domain/exit-codes.ts';
import type { Journal, SupplierOverview } from '../journal/journal.ts';
import { CannotStart } from '../app/cannot-start.ts';
import { connect, type Connection } from '../app/connect.ts';
import { emptyJournalText } from '../report/empty-journal.ts';
import { platformAhead, whyEmpty } from './recorded-suppliers.ts';
import type { Shell } from './shell.ts';

/** A platform that can be asked about the journal's accounts. */
export interface Recorded {
  readonly connection: Connection;
  /** The journal's suppliers on that platform: the named one, or all of them; at least one. */
  readonly suppliers: readonly SupplierOverview[];
}

/**
 * Connects to the configured platform, or the embedded one, to ask about accounts in the journal. Throws CannotStart
 * if the journal has none there: nothing is started then, so that a mistyped name creates no new platform.
 */
export async function connectRecorded(shell: Shell, config: Config, journal: Journal): Promise<Recorded> {
  if (config.baseUrl === undefined) {
    const { platform, label } = await platformAhead(journal, config);
    await suppliersOn(journal, config, { platform, label });
  }
  // No account is created, so no operations team is required.
  const connection = await connect(shell, { ...config, team: config.team ?? '' });
  try {
    return { connection, suppliers: await suppliersOn(journal, config, connection) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function suppliersOn(
  journal: Journal,
  { supplier }: Pick<Config, 'supplier'>,
  { platform, label }: { readonly platform: string | undefined; readonly label: string },
): Promise<readonly SupplierOverview[]> {
  const all = await journal.overview();
  const isMeant = (one: SupplierOverview) => supplier === undefined || one.supplier === supplier;
  const meant = all.filter((one) => one.platform === platform && isMeant(one));
  if (meant.length > 0) return meant;
  const whose = supplier === undefined ? '' : ` of ${supplier}`;
  const others = all.map((one) => `${one.supplier} on ${one.platformLabel}`);
  if ((await whyEmpty(journal)) === 'no-accounts')
    throw new CannotStart(exitCodes.usage, emptyJournalText('no-accounts'));
  const has = others.length === 0 ? 'It is empty: run a migration first.' : `It has ${others.join(', ')}.`;
  throw new CannotStart(exitCodes.usage, `The journal has no accounts${whose} on ${label}. ${has}`);
}
