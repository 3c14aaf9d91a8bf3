import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { summaryOf, tool, workspace } from '../cli/tool.ts';
import { workbook, zipOf } from '../source/workbook.ts';
import { heldOpen, whyNotHere, WindowsTool } from './under-wine.ts';

/** What both systems say, without the time that it took. */
const sameOn = (text: string): string =>
  text.replaceAll('\\\\', '/').replaceAll(/"(durationMs|at)":\d+/g, '');

// A start of Node under Wine takes seconds, and a minute on a busy machine.
describe.skipIf(whyNotHere !== undefined)('on Windows, under Wine', { timeout: 900_000 }, () => {
  const place = workspace();
  const { directory } = place;
  let windows: WindowsTool;
  let places = 0;

  beforeAll(() => {
    windows = new WindowsTool(join(directory, 'tool'));
    return () => {
      place.dispose();
    };
  });

  /** A directory with an export of so many accounts. */
  async function book(accounts: number, shape = 'interface'): Promise<string> {
    const cwd = join(directory, `Käufer ${(places += 1)}`);
    mkdirSync(cwd);
    const made = await tool(['generate', 'export', '--accounts', String(accounts), '--shape', shape], cwd);
    expect(made.code).toBe(0);
    return cwd;
  }

  it('a book arrives, again nothing is to be done, and the proof is that of Linux', async () => {
    const cwd = await book(50);
    const first = await windows.run(['run', 'export', '--json'], cwd);
    expect(summaryOf(first.stdout)).toMatchObject({ exit: 0, accounts: { completed: 50 } });
    const again = await windows.run(['run', 'export', '--json'], cwd);
    expect(summaryOf(again.stdout)).toMatchObject({ exit: 0, requests: 0 });
    const proof = await windows.run(['reconcile', 'export', '--json'], cwd);
    expect(proof.code).toBe(0);

    const there = await book(50);
    await tool(['run', 'export', '--json'], there);
    const same = summaryOf((await tool(['reconcile', 'export', '--json'], there)).stdout);
    expect(summaryOf(proof.stdout)).toMatchObject({ source: same['source'], money: same['money'] });
  });

  it('a run that is killed three times is completed by the next, and nothing is there twice', async () => {
    const cwd = await book(300);
    for (let kill = 1; kill <= 3; kill += 1) {
      const { code } = await windows.run(['run', 'export', '--yes'], cwd, /\d+ of 300 accounts \(/);
      expect(code).not.toBe(0);
    }
    const last = await windows.run(['run', 'export', '--yes', '--json'], cwd);
    expect(summaryOf(last.stdout)).toMatchObject({ run: 4, accounts: { total: 300, uncertain: 0 } });
    expect((await windows.run(['journal', 'check'], cwd)).code).toBe(0);
    expect((await windows.run(['reconcile', 'export'], cwd)).code).toBe(0);
  });

  it('a journal is copied, put back and moved', async () => {
    const cwd = await book(10);
    await windows.run(['run', 'export'], cwd);
    expect((await windows.run(['journal', 'backup', 'night.db'], cwd)).code).toBe(0);
    expect(await windows.run(['journal', 'restore', 'night.db', '--yes'], cwd)).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, '.migrate')).filter((name) => name.includes('.replaced-'))).toHaveLength(1);
    expect((await windows.run(['journal', 'move', 'night.db', 'moved.db'], cwd)).code).toBe(0);
    const run = await windows.run(['run', 'export', '--json'], cwd);
    expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 10 } });
  });

  it('refused rows are copied into an empty directory, and a fix of them arrives', async () => {
    const cwd = await book(10);
    const file = join(cwd, 'export/accounts.ndjson');
    const sound = readFileSync(file, 'utf8');
    writeFileSync(file, sound.replace(/"transfer_balance":"[^"]*"/, '"transfer_balance":"12,50 €"'));
    mkdirSync(join(cwd, 'fix'));
    const checked = await windows.run(['validate', 'export', '--rejects', 'fix'], cwd);
    expect(checked).toMatchObject({ code: 3, stderr: expect.not.stringContaining('error') as string });
    const [first = ''] = sound.split('\n');
    writeFileSync(join(cwd, 'fix/accounts.ndjson'), `${first}\n`);
    const run = await windows.run(['run', 'export', '--with', 'fix', '--json'], cwd);
    expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 10 } });
  });

  it('the report and the list of numbers are written', async () => {
    const cwd = await book(10);
    await windows.run(['run', 'export'], cwd);
    expect((await windows.run(['report', '--out', 'report.html'], cwd)).code).toBe(0);
    expect((await windows.run(['report', '--out', 'report.html'], cwd)).code).toBe(0);
    expect(existsSync(join(cwd, 'report.html'))).toBe(true);
    expect((await windows.run(['numbers', '--out', 'numbers.csv'], cwd)).code).toBe(0);
    expect(readFileSync(join(cwd, 'numbers.csv'), 'utf8').trim().split('\n')).toHaveLength(11);
  });

  it('a workbook in an archive is read as on Linux, its faulty cell named', async () => {
    const cwd = join(directory, `Käufer ${(places += 1)}`);
    mkdirSync(cwd);
    const book = workbook({
      Kunden: [
        ['NR', 'SALDO'],
        ['B1', 'zwölf'],
        ['B2', 12.3],
      ],
      Notizen: [
        ['NR', 'TEXT', 'AM'],
        ['B2', 'Größe', new Date(Date.UTC(2024, 2, 31))],
      ],
    });
    writeFileSync(join(cwd, 'Bücher.zip'), await zipOf({ 'Stand/book.xlsx': book }));
    writeFileSync(
      join(cwd, 'mapping.yaml'),
      `version: 1
format: { zone: Europe/Berlin }
tables:
  accounts: { file: book.xlsx, sheet: Kunden, key: NR }
  notes: { file: book.xlsx, sheet: Notizen, key: NR, datetimes: yyyy-mm-dd }
account:
  import_supplier: { constant: TENTACLE_ENERGY }
  transfer_balance: SALDO
notes: { from: notes, each: { body: TEXT, created_at: AM } }
`,
    );
    const args = ['validate', 'Bücher.zip', '--mapping', 'mapping.yaml', '--json'];
    const here = await windows.run(args, cwd);
    expect(here.stdout).toContain('"cell":"B2"');
    expect(sameOn(here.stdout)).toBe(sameOn((await tool(args, cwd)).stdout));
  });

  it('a report that another program has open stays as it is, and the message says so', async () => {
    const cwd = await book(10);
    await windows.run(['run', 'export'], cwd);
    const file = join(cwd, 'report.html');
    writeFileSync(file, 'open in another program');
    const release = await heldOpen(file);
    const refused = await windows.run(['report', '--out', 'report.html', '--force'], cwd);
    await release();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/report\.html is denied to this program, or open in another one/);
    expect(readFileSync(file, 'utf8')).toBe('open in another program');
    expect((await windows.run(['report', '--out', 'report.html', '--force'], cwd)).code).toBe(0);
  });

  it('a file of the export that another program has open is named, and nothing is sent', async () => {
    const cwd = await book(10);
    const release = await heldOpen(join(cwd, 'export/notes.ndjson'));
    const refused = await windows.run(['run', 'export'], cwd);
    await release();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/notes\.ndjson.* is denied to this program, or open in another one/);
    const run = await windows.run(['run', 'export', '--json'], cwd);
    expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 10 } });
  });

  it('a document is there only by the name that its directory has', async () => {
    const cwd = await book(10);
    const notes = readFileSync(join(cwd, 'export/notes.ndjson'), 'utf8');
    const paths = [...notes.matchAll(/"document_path":"([^"]+)"/g)].map(([, path = '']) => path);
    for (const path of paths) {
      const document = join(cwd, 'documents', path);
      mkdirSync(dirname(document), { recursive: true });
      writeFileSync(document, '%PDF');
    }
    const args = ['validate', 'export', '--documents', 'documents', '--json'];
    const before = summaryOf((await windows.run(args, cwd)).stdout);
    const other = paths[0] ?? '';
    const document = join(cwd, 'documents', other);
    renameSync(document, join(dirname(document), basename(document).toUpperCase()));
    const { stdout } = await windows.run(args, cwd);
    expect(stdout).toContain('differs in its capitals');
    expect(Number(summaryOf(stdout)['problems']) - Number(before['problems'])).toBe(1);
    writeFileSync(join(cwd, 'export/notes.ndjson'), notes.replaceAll('.pdf"', '.pdf."'));
    const dots = summaryOf((await windows.run(args, cwd)).stdout);
    expect(Number(dots['problems'])).toBeGreaterThan(1 + Number(before['problems']));
  });

  it('a book and a journal arrive below a path of over 260 characters', async () => {
    const cwd = await book(10);
    const deep = join(
      ...Array.from({ length: 6 }, (_, level) => `Verzeichnis der ${'Übergabe '.repeat(5)}${level}`),
    );
    mkdirSync(join(cwd, deep), { recursive: true });
    renameSync(join(cwd, 'export'), join(cwd, deep, 'export'));
    const journal = ['--journal', join(deep, 'journal.db')];
    const run = await windows.run(['run', join(deep, 'export'), ...journal, '--json'], cwd);
    expect(summaryOf(run.stdout)).toMatchObject({ exit: 0, accounts: { completed: 10 } });
    const copied = await windows.run(['journal', 'backup', join(deep, 'night.db'), ...journal], cwd);
    expect(copied).toMatchObject({ code: 0 });
  });

  it('doctor tries what a run needs, and leaves nothing', async () => {
    const cwd = await book(1);
    const { code, stdout } = await windows.run(['doctor', '--json'], cwd);
    expect([code, stdout]).toEqual([0, expect.stringContaining('the first run creates it')]);
    expect(readdirSync(cwd)).toEqual(['export']);
  });

  it.each([
    [
      'UTF-16 with lines that end as on Windows',
      (text: string) => Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le'),
    ],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ])('files in %s are read as on Linux', async (_, written) => {
    const cwd = await book(20, 'flat');
    for (const name of readdirSync(join(cwd, 'export'))) {
      const file = join(cwd, 'export', name);
      writeFileSync(file, written(readFileSync(file, 'utf8').replace('12', 'zwölf')));
    }
    const here = await windows.run(['validate', 'export', '--json'], cwd);
    const there = await tool(['validate', 'export', '--json'], cwd);
    expect(sameOn(here.stdout)).toBe(sameOn(there.stdout));
    expect(here.code).toBe(there.code);
  });
});
