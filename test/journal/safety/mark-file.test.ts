import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MarkFile, markPath } from '../../../src/journal/safety/mark-file.ts';

let directory: string;
let file: string;
let mark: MarkFile;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mark-'));
  file = join(directory, 'journal.db');
  mark = new MarkFile(file);
});
afterEach(() => {
  mark.close();
  rmSync(directory, { recursive: true });
});

const own = 'a'.repeat(32);
const other = 'b'.repeat(32);

/** What another process finds. */
function found(): unknown {
  const reader = new MarkFile(file);
  try {
    return reader.read();
  } finally {
    reader.close();
  }
}

describe('a mark', () => {
  it('is none before it is put', () => {
    expect(mark.read()).toBeUndefined();
    expect(mark.writtenAt()).toBeUndefined();
    expect(mark.advance({ identity: own, commits: 1 })).toBe(false);
    expect(existsSync(markPath(file))).toBe(false);
  });

  it('is what was put last, readable by its owner only', () => {
    mark.put({ identity: own, commits: 7 });
    expect(found()).toEqual({ identity: own, commits: 7 });
    expect(statSync(markPath(file)).mode & 0o777).toBe(0o600);
    mark.put({ identity: other, commits: 2 });
    expect(found()).toEqual({ identity: other, commits: 2 });
  });

  it('advances to a later commit of the same journal', () => {
    mark.put({ identity: own, commits: 7 });
    expect(mark.advance({ identity: own, commits: 8 })).toBe(true);
    expect(found()).toEqual({ identity: own, commits: 8 });
  });

  it('never goes back to an earlier commit', () => {
    mark.put({ identity: own, commits: 7 });
    expect(mark.advance({ identity: own, commits: 6 })).toBe(true);
    expect(found()).toEqual({ identity: own, commits: 7 });
  });

  it('stays when another journal would advance it, however far that is', () => {
    mark.put({ identity: own, commits: 7 });
    expect(mark.advance({ identity: other, commits: 99 })).toBe(true);
    expect(found()).toEqual({ identity: own, commits: 7 });
  });

  it('stays where another process has advanced it further', () => {
    mark.put({ identity: own, commits: 7 });
    const neighbour = new MarkFile(file);
    neighbour.advance({ identity: own, commits: 20 });
    neighbour.close();
    expect(mark.advance({ identity: own, commits: 10 })).toBe(true);
    expect(found()).toEqual({ identity: own, commits: 20 });
  });

  it('is not written again where it is the commit already', () => {
    mark.put({ identity: own, commits: 7 });
    utimesSync(markPath(file), 1000, 1000);
    mark.advance({ identity: own, commits: 7 });
    expect(mark.writtenAt()).toBe(1_000_000);
  });

  it('that is no stamp stays as it is', () => {
    writeFileSync(markPath(file), 'not a stamp');
    expect(mark.read()).toBeUndefined();
    expect(mark.advance({ identity: own, commits: 7 })).toBe(true);
    expect(found()).toBeUndefined();
  });

  it('says of a journal that lost records that it went back, wherever it is', () => {
    mark.put({ identity: own, commits: 7 });
    mark.accuse({ identity: own, commits: 7 });
    const { identity, commits } = mark.read() ?? {};
    expect(identity).toBe(own);
    expect(commits).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('that was deleted meanwhile is none, and that was made anew is the new one', () => {
    mark.put({ identity: own, commits: 7 });
    rmSync(markPath(file));
    expect(mark.read()).toBeUndefined();
    expect(mark.advance({ identity: own, commits: 8 })).toBe(false);
    const neighbour = new MarkFile(file);
    neighbour.put({ identity: other, commits: 3 });
    neighbour.close();
    expect(mark.read()).toEqual({ identity: other, commits: 3 });
  });

  it('leaves no file open once it is closed', () => {
    mark.put({ identity: own, commits: 7 });
    const next = () => {
      const free = openSync(markPath(file), 'r');
      closeSync(free);
      return free;
    };
    const opened = next();
    mark.close();
    // The lowest number that is free is taken.
    expect(next()).toBeLessThan(opened);
  });

  it('can be closed twice, and used again', () => {
    mark.put({ identity: own, commits: 7 });
    mark.advance({ identity: own, commits: 8 });
    mark.close();
    mark.close();
    expect(mark.read()).toEqual({ identity: own, commits: 8 });
  });

  it('that cannot be read is an error that names it, not a mark that is none', () => {
    mkdirSync(markPath(file));
    expect(() => mark.read()).toThrow(markPath(file));
    expect(() => mark.read()).toThrow("journal's mark");
    expect(() => mark.put({ identity: own, commits: 1 })).toThrow(markPath(file));
    expect(() => mark.advance({ identity: own, commits: 1 })).toThrow(markPath(file));
    expect(() => mark.writtenAt()).toThrow(markPath(file));
    chmodSync(markPath(file), 0o700);
  });
});
