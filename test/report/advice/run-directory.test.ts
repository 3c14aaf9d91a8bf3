import { describe, expect, it } from 'vitest';
import { zeroCounts } from '../../../src/domain/account-state.ts';
import { noSuchSupplier } from '../../../src/domain/no-such-supplier.ts';
import { directoryOf, directoryText } from '../../../src/report/advice/run-directory.ts';

const ran = (named: string, place?: string, detail = '') => ({
  dryRun: false,
  end: {
    ...{ endedAt: 1, exit: 2, reason: '', accounts: zeroCounts() },
    requests: 0,
    retries: 0,
    detail,
  } as const,
  export: named,
  facts: {
    ...{ rehearsal: false, unattended: true },
    ...(place === undefined
      ? {}
      : {
          given: {
            place,
            accounts: 1,
            files: [],
            sample: [],
            mapping: [],
            codeTables: [],
            contract: [],
            settings: {},
          },
        }),
  },
});

describe('the directory of printed commands', () => {
  it('is that of the last run, where its export was named by a path below it', () => {
    expect(directoryOf([ran('./exports/tonight/', '/srv/book/exports/tonight')])).toBe('/srv/book');
    expect(directoryOf([ran('.', '/srv/book')])).toBe('/srv/book');
    for (const other of [
      ran('/srv/book', '/srv/book'),
      ran('../book', '/srv/book'),
      ran('s3://b/x', 's3://b/x'),
      ran('book'),
    ])
      expect(directoryOf([other])).toBeUndefined();
  });

  it('is not that of a run whose export was that of other suppliers', () => {
    const others = ran('./own', '/srv/other/own', noSuchSupplier('A', ['B']));
    expect(directoryOf([others, ran('./own', '/srv/book/own')])).toBe('/srv/book');
  });

  it('is told to readers who are not known to be in it', () => {
    expect(directoryText('/srv/book')).toBe('Type the commands in /srv/book: their paths start there.');
    expect(directoryText('/srv/book', '/srv/book')).toBe('');
    expect(directoryText(undefined)).toBe('');
  });
});
