import { DatabaseRefused } from '../../domain/database-refused.ts';
import type { LeaseOwner } from '../journal.ts';

/** The refusal to upgrade a journal under a run of an earlier version, which would go on with the schema that it knows. */
export function inUse(
  name: string,
  version: number,
  { host, pid }: Pick<LeaseOwner, 'host' | 'pid'>,
): DatabaseRefused {
  return new DatabaseRefused(
    'locked',
    `The journal ${name} is of an earlier version of this tool (schema ${version}), and process ${pid} on ${host} uses it with that version. ` +
      'It is not upgraded, and nothing was changed. Wait until that command has ended, and run this one again. If its process is gone, its lease ends within minutes.',
  );
}
