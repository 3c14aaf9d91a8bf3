// Every error of the system, through whatever meets it: each has a sentence, none is a bug, and none names an untrue cause.
import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { outage, unavailability } from '../../src/run/unavailability.ts';
import { causeOf } from '../../src/client/failure-cause.ts';
import { DatabaseRefused } from '../../src/domain/database-refused.ts';
import { hostShortage } from '../../src/domain/host-shortage.ts';
import { refusalOf as refusalOfFile } from '../../src/sqlite/refusal.ts';
import { fileErrorText } from '../../src/source/file-bytes.ts';
import { addressOf } from '../../src/journal/postgres/address.ts';
import { isPassing, refusalOf as refusalOfServer } from '../../src/journal/postgres/refusal.ts';

const failing = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const own = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'];
const away = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'];

describe('the client', () => {
  it.each(own)("tells %s as this machine's, and never as the platform's", (code) => {
    const cause = causeOf(failing(code, 'connect'));
    expect(unavailability(cause)).toMatch(/^this machine /);
    expect(outage(cause)).toBe('This machine cannot connect');
  });

  it.each(away)("tells %s as the platform's, or of the way to it", (code) => {
    expect(unavailability(causeOf(failing(code, 'connect')))).not.toContain('this machine');
  });
});

describe('what a machine is short of', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOBUFS', 'EADDRNOTAVAIL'])(
    '%s is named wherever it happens',
    (code) => expect(hostShortage(failing(code, 'open'))).toContain(`(${code})`),
  );
});

it.each(Object.keys(constants.errno))('a file of an export has a sentence for %s', (code) => {
  const said = fileErrorText(failing(code, 'read')) ?? '';
  expect(said).toMatch(/^(does not exist|cannot be read|is a directory)/);
  // Another copy of the export is of no use to a machine that is short of something.
  if (own.slice(0, 4).includes(code)) expect(said).not.toContain('copy the export');
});

it.each(Object.keys(constants.errno))('a journal in a file is refused with a sentence for %s', (code) => {
  const refusal = refusalOfFile(failing(code, 'open'), '/nowhere/journal.db', { what: 'journal' });
  expect(refusal).toBeInstanceOf(DatabaseRefused);
  expect((refusal as Error).message).toMatch(/^The journal \/nowhere\/journal\.db .*\.$/);
});

it.each([...away, 'ENOTFOUND', 'EAI_AGAIN'])('a journal on a server is awaited after %s', (code) => {
  const error = failing(code, 'connect');
  expect(isPassing(error)).toBe(true);
  expect(refusalOfServer(error, addressOf('postgres://db.example.com/books'))).toBeInstanceOf(
    DatabaseRefused,
  );
});
