// Every error of the system, through whatever meets it: each has a sentence, none is a bug, and none names an untrue cause.
import net from 'node:net';
import fs, { readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isOfConnection } from '../../src/domain/connection-causes.ts';
import { whyNotListening } from '../../src/domain/not-listening.ts';
import { whyUnwritten } from '../../src/domain/unwritten.ts';
import { AtomicFile, type FileRefused } from '../../src/report/atomic-file.ts';
import { copyDatabase } from '../../src/sqlite/copy-database.ts';
import { openDatabase } from '../../src/sqlite/open-database.ts';
import { workspace } from '../cli/tool.ts';
import { clientOf } from '../client/loopback.ts';
import { outage, unavailability } from '../../src/report/advice/unavailability.ts';
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
/** What the client tells as one of the above. */
const alike = ['EADDRINUSE', 'ECONNABORTED', 'ENETRESET', 'ENETDOWN', 'EHOSTDOWN', 'EPROTO'];
const away = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'];

const every = Object.keys(constants.errno);
/** Words that say more than the code does. */
const guesses = /a bug in migrate|nothing answers|another user(?!.* or )|the server reports E/;

describe('the client', () => {
  it.each(own)("tells %s as this machine's, and never as the platform's", (code) => {
    const cause = causeOf(failing(code, 'connect'));
    expect(unavailability(cause)).toMatch(/^this machine /);
    expect(outage(cause)).toBe('This machine cannot connect');
  });

  it.each(away)("tells %s as the platform's, or of the way to it", (code) => {
    expect(unavailability(causeOf(failing(code, 'connect')))).not.toContain('this machine');
  });

  it.each(every.filter((code) => ![...own, ...away, ...alike].includes(code)))(
    'names %s, for which it knows no cause',
    (code) => {
      const cause = causeOf(failing(code, 'connect'));
      expect(unavailability(cause)).toContain(`reports ${code}.`);
      expect(outage(cause)).toBe('This machine cannot connect');
      expect(isOfConnection(cause)).toBe(true);
    },
  );

  it.each(every)('never gets an answer out of a connection that fails with %s', async (code) => {
    const error = failing(code, 'connect');
    const connecting = vi.spyOn(net, 'connect').mockImplementation(() => {
      const socket = new net.Socket();
      setImmediate(() => socket.destroy(error));
      return socket;
    });
    onTestFinished(() => connecting.mockRestore());
    const answer = await clientOf('http://127.0.0.1:1').post('process', '{}');
    expect(answer).toMatchObject({ kind: 'not-sent', cause: causeOf(error) });
  });
});

describe('what a machine is short of', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOBUFS', 'EADDRNOTAVAIL'])(
    '%s is named wherever it happens',
    (code) => expect(hostShortage(failing(code, 'open'))).toContain(`(${code})`),
  );
});

it.each(every)('a file of an export has a sentence for %s', (code) => {
  const said = fileErrorText(failing(code, 'read')) ?? '';
  expect(said).toMatch(/^(does not exist|cannot be read|is a directory)/);
  // Another copy of the export is of no use to a machine that is short of something.
  if (own.slice(0, 4).includes(code)) expect(said).not.toContain('copy the export');
});

it.each(every)('a journal in a file is refused with a sentence for %s', (code) => {
  const refusal = refusalOfFile(failing(code, 'open'), '/nowhere/journal.db', { what: 'journal' });
  expect(refusal).toBeInstanceOf(DatabaseRefused);
  expect((refusal as Error).message).toMatch(/^The journal \/nowhere\/journal\.db .*\.$/);
});

it.each([...every, 'ENOTFOUND', 'EAI_AGAIN'])('a journal on a server is awaited after %s', (code) => {
  const error = failing(code, 'connect');
  expect(isPassing(error)).toBe(true);
  const refusal = refusalOfServer(error, addressOf('postgres://db.example.com/books'));
  expect(refusal).toBeInstanceOf(DatabaseRefused);
  const { message } = refusal as Error;
  expect(message).toMatch(/^The journal postgres:\/\/db\.example\.com\/books: .*\.$/);
  expect(message).not.toMatch(guesses);
  if (own.includes(code)) expect(message).toContain('this machine');
});

it('a file that a journal on a server needs is not awaited', () => {
  expect(isPassing(failing('EACCES', 'open'))).toBe(false);
});

describe('an output', () => {
  const space = workspace();
  const path = join(space.directory, 'out.txt');
  afterAll(() => space.dispose());

  /** What a writer says while every call of these functions of the file system fails so. */
  function whileFailing<T>(names: readonly (keyof typeof fs)[], error: Error, write: () => T): T {
    const spies = names.map((name) =>
      vi.spyOn(fs, name as 'openSync').mockImplementation(() => {
        throw error;
      }),
    );
    syncBuiltinESMExports();
    try {
      return write();
    } finally {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    }
  }

  it.each(every)(
    'as a report, a list or a file of problems has a sentence for %s, whenever it comes',
    (code) => {
      const opened = whileFailing(['openSync'], failing(code, 'open'), () => AtomicFile.open(path));
      const file = AtomicFile.open(path);
      if (!('add' in file)) throw new Error('it was not opened');
      file.add('text');
      const completed = whileFailing(['writeSync'], failing(code, 'write'), () => file.complete());
      const said = [(opened as FileRefused).refusal, completed ?? ''];
      for (const sentence of said) {
        expect(sentence).toMatch(new RegExp(`^${path} cannot be written: .*\\.$`));
        expect(sentence).not.toMatch(guesses);
      }
      expect(readdirSync(space.directory)).toEqual([]);
    },
  );

  it.each(every)('as a backup has a sentence for %s', (code) => {
    const journal = join(space.directory, 'journal', 'journal.db');
    const spec = {
      what: 'journal',
      applicationId: 7,
      migrations: ['CREATE TABLE a (b)'],
      synchronous: 'FULL',
    } as const;
    openDatabase(journal, spec).close();
    const backUp = () => {
      try {
        copyDatabase(journal, spec, path, { replace: true });
      } catch (error) {
        return error;
      }
      return undefined;
    };
    for (const name of ['fsyncSync', 'renameSync'] as const) {
      const refusal = whileFailing([name], failing(code, name.replace('Sync', '')), backUp);
      rmSync(path, { force: true });
      expect(refusal).toBeInstanceOf(DatabaseRefused);
      expect((refusal as Error).message).not.toMatch(guesses);
    }
    rmSync(dirname(journal), { recursive: true });
  });

  it.each(every)('as metrics, a log, rejects or a first mapping has a sentence for %s', (code) => {
    const why = whyUnwritten(failing(code, 'open'));
    expect(why).toMatch(/^[a-zA-Z].*\.$/);
    expect(why).not.toMatch(guesses);
    // What is not known by a sentence of its own is named by its code.
    const [, named = code] = /reports (\w+)\./.exec(why) ?? [];
    expect([code, 'EIO']).toContain(named);
  });
});

it.each(every)('a port that cannot be listened on has a sentence for %s', (code) => {
  expect(whyNotListening(failing(code, 'listen'))).toMatch(/^[a-zA-Z].*\.$/);
});
