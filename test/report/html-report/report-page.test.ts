import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '../../../src/domain/account-state.ts';
import { givenFlags } from '../../../src/report/command-line.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { reportPage } from '../../../src/report/html-report/report-page.ts';
import { overview } from '../fixture.ts';
import { viewOf } from './report-view.ts';

/** A page's elements with the names of their attributes, and nothing of its texts. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<(\/?[a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/gi)].map(
    ([, name, attributes = '']) => `${name ?? ''} ${attributes.replaceAll(/"[^"]*"/g, '""')}`,
  );
}

/** What a reader reads. */
function read(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll('<wbr />', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
}

describe('the report', () => {
  it('has all of the book in every bar, also accounts that no run has begun', () => {
    const view = viewOf('a', { completed: 10, pending: 990 });
    const { overview } = view;
    if (overview === undefined) throw new Error('a view without a book');
    const steps = {
      ...overview.steps,
      validate: { done: 10, failed: 0, uncertain: 0, pending: 0 },
    };
    const page = reportPage({ ...view, overview: { ...overview, steps } });
    const [, validate = ''] = page.split('aria-labelledby="steps"')[1]?.split('class="share"') ?? [];
    const widths = [...validate.matchAll(/class="(\w+)"[^>]* width="([\d.]+)%"/g)].map(([, tone, width]) => [
      tone,
      Number(width),
    ]);
    expect(widths).toEqual([
      ['completed', 1],
      ['unread', 99],
    ]);
    expect(read(page)).toContain('Not begun');
  });

  const hostile = [
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '</style><style>*{display:none}</style>',
    '<img src=x onerror=alert(1)>',
    '-->]]><!--',
    'javascript:alert(1)',
  ];
  it.each(hostile)('is made of the same elements when every text in it is %s', (text) => {
    const page = reportPage(viewOf(text));
    expect(skeleton(page)).toEqual(skeleton(reportPage(viewOf('a'))));
    expect(page.split('<style>')).toHaveLength(2);
  });

  it('needs nothing from anywhere, and lets a browser take nothing but its own style', () => {
    const page = reportPage(viewOf('a'));
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(page)?.[1]
      ?.replaceAll('&#39;', "'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
    expect(page).not.toMatch(/\s(?:src|href|style|on[a-z]+)=/);
    expect(style).not.toMatch(/url\((?!#fill-)|@import/);
  });

  it('can be read by ear: language, landmarks, one first heading, heads and names of tables, words for pictures', () => {
    const page = reportPage(viewOf('a'));
    expect(page).toContain('<html lang="en">');
    for (const landmark of ['<header>', '<main>', '<footer>']) expect(page).toContain(landmark);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const [, id] of page.matchAll(/<section[^>]*aria-labelledby="([^"]*)"/g))
      expect(page).toContain(`<h2 id="${id!}">`);
    const tables = page.match(/<table>/g)?.length;
    expect(page.match(/<caption>[^<]+<\/caption>/g)).toHaveLength(tables!);
    expect(page.match(/<thead>\s*<tr>\s*<th scope="col"/g)).toHaveLength(tables!);
    for (const [picture] of page.matchAll(/<svg[^>]*>/g))
      expect(picture).toMatch(/aria-hidden="true"|role="img"\s+aria-label="[^"]+"/);
  });

  it('says first how things stand, and then what to type', () => {
    const page = (accounts: Partial<Record<AccountState, number>>) => read(reportPage(viewOf('X', accounts)));
    expect(page({ completed: 4 })).toContain('Complete: all of 4 accounts');
    expect(page({ completed: 4 })).toContain('migrate reconcile X --supplier X');
    expect(page({ completed: 4 })).toContain('migrate numbers --supplier X --out numbers.csv');
    const trouble = page({ completed: 1999, rejected: 1, uncertain: 1, pending: 2 });
    expect(trouble).toContain('Not complete: 1,999 of 2,003 accounts (99.8 %)');
    expect(trouble).toContain('The others: 1 rejected, 1 uncertain, 2 pending.');
    expect(trouble.indexOf('migrate resolve X --supplier X --step notes --as done')).toBeGreaterThan(0);
    expect(trouble).toContain('migrate run X --supplier X');
  });

  it('groups the digits of exact amounts', () => {
    const view = viewOf('X', { completed: 1 });
    view.survey?.money.add('acknowledged', new Map([['CHARGE', parseDecimal('1234567890123456.78')!]]));
    expect(read(reportPage(view))).toContain('1,234,567,890,123,456.78');
  });

  it('goes on in every command with the flags of settings and journal that it was made with', () => {
    const given = { config: 'a.yaml', profile: 'live', journal: 'my journal.db' };
    const view = viewOf('X', { completed: 1, rejected: 1, failed: 1, uncertain: 1, skipped: 1 });
    const pages = [view, { ...view, overview: overview('X', { completed: 1 }) }, viewOf('X', {})];
    for (const page of pages) {
      const typed = reportPage({ ...page, hasOlderRuns: true, flags: givenFlags(given) });
      const commands = [...typed.matchAll(/<code>(migrate [^<]*)/g)].map(([, command]) => command);
      expect(commands.length).toBeGreaterThan(2);
      for (const command of commands)
        expect(command).toContain(' --config a.yaml --profile live --journal &#39;my journal.db&#39;');
    }
  });

  it('quotes accounts and paths for the shell that they are typed into', () => {
    expect(read(reportPage(viewOf("it's $HOME", { uncertain: 1 })))).toContain(
      `migrate show 'it'\\''s $HOME' --supplier 'it'\\''s $HOME'`,
    );
    expect(read(reportPage(viewOf('-rf', { uncertain: 1 })))).toContain("migrate show '-rf'");
  });

  it('calls a run that has not ended running while its process lives, and killed after that', () => {
    const view = viewOf('a');
    const { end: _end, ...open } = view.runs[0]!;
    const page = (running: ReadonlySet<number>) => read(reportPage({ ...view, runs: [open], running }));
    expect(page(new Set([open.id]))).toContain(' running ');
    expect(page(new Set())).toContain(' killed ');
  });

  it('is a page also where nothing was run', () => {
    const page = read(
      reportPage({
        ...{ at: 0, timeZone: 'UTC', version: '0.1.0', flags: '' },
        ...{ runs: [], running: new Set(), hasOlderRuns: false },
      }),
    );
    expect(page).toContain('Nothing was run yet');
    expect(page).toContain('migrate validate ./export');
  });

  it('stays small, however long its texts are', () => {
    expect(reportPage(viewOf('x'.repeat(10_000))).length).toBeLessThan(5_000_000 / 10);
  });
});
