import { describe, expect, it } from 'vitest';
import { inUse } from '../../../src/journal/safety/in-use.ts';
import { beingUpgraded, outdated, upgradeBegins } from '../../../src/journal/safety/outdated.ts';
import { readStamp, writeStamp } from '../../../src/journal/safety/stamp.ts';

describe('a journal of an earlier version', () => {
  it('that a run uses is refused with its process, and what to wait for', () => {
    const refusal = inUse('journal.db', 7, { host: 'here', pid: 12 });
    expect(refusal).toMatchObject({ name: 'DatabaseRefused', reason: 'locked' });
    expect(refusal.message).toBe(
      'The journal journal.db is of an earlier version of this tool (schema 7), and process 12 on here uses it with that version. ' +
        'It is not upgraded, and nothing was changed. Wait until that command has ended, and run this one again. If its process is gone, its lease ends within minutes.',
    );
  });

  it('is refused by a command that only reads, with the command that upgrades it', () => {
    const refusal = outdated('journal.db', 7, 25);
    expect(refusal).toMatchObject({ name: 'DatabaseRefused', reason: 'outdated' });
    expect(refusal.message).toBe(
      'The journal journal.db is of an earlier version (schema 7; this version reads schema 25), and reading does not change it. ' +
        'Upgrade it with `migrate journal upgrade`, or read it with the version that wrote it. The next run upgrades it too.',
    );
  });

  it('says when it is upgraded, and by whom', () => {
    expect(beingUpgraded('journal.db', Date.UTC(2026, 0, 1, 7, 5, 9), 'ann')).toBe(
      'The journal journal.db is being upgraded since 07:05 UTC by ann. This command waits until that is done.',
    );
    expect(upgradeBegins('journal.db', 7, 25)).toBe(
      'The journal journal.db is upgraded from schema 7 to 25.',
    );
  });
});

describe('a stamp', () => {
  const [one, other] = ['a'.repeat(32), 'b'.repeat(32)];

  it('is read as it was written, always of one length', () => {
    const [first, last] = [
      writeStamp({ identity: one, commits: 0 }),
      writeStamp({ identity: one, commits: 12_345 }),
    ];
    expect(first).toHaveLength(last.length);
    expect(readStamp(last)).toEqual({ identity: one, commits: 12_345 });
  });

  it('is the newest of those in a text', () => {
    const stamps = [3, 9, 5].map((commits, at) => writeStamp({ identity: at === 1 ? other : one, commits }));
    expect(readStamp(`x${stamps.join('\0')}y`)).toEqual({ identity: other, commits: 9 });
    const same = [writeStamp({ identity: one, commits: 4 }), writeStamp({ identity: other, commits: 4 })];
    expect(readStamp(same.join(' '))).toEqual({ identity: one, commits: 4 });
  });

  it.each([
    '',
    'journal-stamp:',
    writeStamp({ identity: one, commits: 4 }).slice(0, -1),
    writeStamp({ identity: one, commits: 4 }).replace('aa', 'A_'),
    writeStamp({ identity: one, commits: 4 }).replace('journal', 'Journal'),
  ])('is none in a text without a whole one: %s', (text) => {
    expect(readStamp(text)).toBeUndefined();
  });
});
