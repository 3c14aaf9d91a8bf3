import type { Config } from '../config/load-config.ts';
import { journalAt } from '../journal/journal-at.ts';
import type { JournalStore } from '../journal/store.ts';
import type { Environment } from './environment.ts';

/** The configured journal. Opens nothing. */
export function journalOf(_environment: Pick<Environment, 'env'>, config: Config): JournalStore {
  return journalAt(config);
}
