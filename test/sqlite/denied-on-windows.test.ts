import { expect, it } from 'vitest';
import { DatabaseRefused } from '../../src/domain/database-refused.ts';
import { refusalOf } from '../../src/sqlite/refusal.ts';

const file = String.raw`C:\Users\other\journal.db`;
const failed = (code: string, more = {}): Error => Object.assign(new Error(code), { code, ...more });

/** What a journal is refused with where the system answers so to who opens it. */
function said(error: Error, answer: Error | undefined, name = 'win32'): string {
  const asked: string[] = [];
  const open = (path: string): void => {
    asked.push(path);
    if (answer !== undefined) throw answer;
  };
  const refusal = refusalOf(error, file, { what: 'journal' }, { name, open });
  if (!(refusal instanceof DatabaseRefused)) throw error;
  expect(asked.every((path) => path === file)).toBe(true);
  return `${refusal.reason}: ${refusal.message}`;
}

const denied = `unwritable: The journal ${file} is denied to this program, or open in another one, such as Excel, an editor or a scanner. Close it there, or check the rights of the file and of its directory, and run again.`;

it.each(['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN_FULLPATH'])(
  "another user's journal, which SQLite tells as %s, is denied on Windows",
  (code) => {
    for (const answer of ['EPERM', 'EACCES', 'EBUSY'])
      expect(said(failed(code), failed(answer))).toBe(denied);
  },
);

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  "a journal in another user's folder (%s) is denied on Windows",
  (code) => {
    for (const syscall of ['stat', 'mkdir', 'open'])
      expect(said(failed(code, { syscall }), undefined)).toBe(denied);
  },
);

it("another user's lock is told as a lock, and what the system opens by what SQLite says", () => {
  expect(said(failed('SQLITE_BUSY'), failed('EBUSY'))).toMatch(
    /^locked: .* is locked by another program\. Wait/,
  );
  expect(said(failed('SQLITE_CANTOPEN'), undefined)).toMatch(/cannot be opened\. Check the directory/);
  expect(said(failed('SQLITE_CANTOPEN'), failed('ENOENT'))).toMatch(/cannot be opened\. Check the directory/);
});

it('elsewhere the file is not opened: to close it would release the locks of SQLite', () => {
  const opened = new Error('opened');
  for (const code of ['SQLITE_READONLY', 'SQLITE_IOERR'])
    expect(said(failed(code), opened, 'linux')).not.toContain('opened');
});
