import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountPage } from '../../../src/dashboard/account-page.ts';
import { nightPage } from '../../../src/dashboard/night-page.ts';
import { booksPage } from '../../../src/report/html-report/books-page.ts';
import type { LastReconciled } from '../../../src/report/reconciliation/last-reconciled.ts';
import { reportPage } from '../../../src/report/html-report/report-page.ts';
import { Timeline } from '../../../src/report/html-report/timeline.ts';
import { chromiumPath, launchChromium, violations } from '../../chromium.ts';
import { nightOf } from '../../dashboard/own-source.ts';
import { attempt, entry } from '../fixture.ts';
import { viewOf } from './report-view.ts';

const every = {
  ...{ completed: 800, imported: 40, staged: 30, scheduled: 5, pending: 60 },
  ...{ rejected: 30, failed: 20, uncertain: 10, skipped: 5 },
};
const all = { completed: 1_000 };
const at = Date.UTC(2026, 6, 1, 20);

function livePage(night: ReturnType<typeof nightOf>): string {
  const timeline = new Timeline(5_000);
  timeline.addOver(at, at + 60_000, 'completed', 900);
  timeline.addOver(at + 20_000, at + 30_000, 'failed', 30);
  const course = { timeline, from: at };
  return nightPage({ night, at: at + 60_000, timeZone: 'UTC', courseOf: () => course }, '1.2.3');
}

const reconciled: LastReconciled = {
  ...{ platform: 'p', supplier: 'TENTACLE_ENERGY', at, export: '/srv/export', differences: 30 },
  money: { CHARGE: { source: '1300.00', acknowledged: '1200.00', unconfirmed: '0.00' } },
  missing: [{ state: 'rejected', who: 'data', accounts: 30, money: { CHARGE: '100.00' } }],
};

const { survey } = viewOf('TENTACLE_ENERGY', every);
const counted = survey && { at, isCurrent: false, survey };
/** The same once all accounts were read. */
const read = (night: ReturnType<typeof nightOf>) => ({
  ...night,
  suppliers: night.suppliers.map((one) => ({ ...one, counted, currency: 'GBP', reconciled })),
});

const empty = { ...nightOf({}), suppliers: [] };
const two = {
  ...nightOf(every),
  suppliers: [...nightOf(every).suppliers, ...nightOf(all, 'OTHER').suppliers],
};
const story = {
  ...{ platformLabel: 'https://p', entry, attempts: [attempt()], problems: [], partCells: [] },
  interventions: [],
};

/** The states in which people meet the pages. */
const states: Readonly<Record<string, string>> = {
  'a report of every state': reportPage(viewOf('TENTACLE_ENERGY', every)),
  'a report of one percent': reportPage(viewOf('TENTACLE_ENERGY', { completed: 10, pending: 990 })),
  'a report of a finished book': reportPage(viewOf('TENTACLE_ENERGY', all)),
  'a report of three suppliers': booksPage([
    { ...viewOf('TENTACLE_ENERGY', every), currency: 'GBP', reconciled },
    { ...viewOf('COASTAL_POWER', all), currency: 'GBP' },
    viewOf('RHEIN_STROM', { completed: 10, pending: 990 }),
  ]),
  'a report of nothing': reportPage({
    ...{ at, timeZone: 'UTC', version: '1.2.3', flags: '', runs: [], running: new Set<number>() },
    hasOlderRuns: false,
  }),
  'the live page of every state': livePage(read(nightOf(every))),
  'the live page of two suppliers': livePage(read(two)),
  'the live page before all accounts were read': livePage(nightOf(every)),
  'the live page before the first run': livePage(empty),
  'the page of an account': accountPage({ account: '4711', found: [story], timeZone: 'UTC' }),
};

describe.skipIf(chromiumPath === undefined)('the pages in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function opened(markup: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ bypassCSP: true, ...options });
    // The live page would connect to its server.
    await page.setContent(markup.replace(/<script[^>]*>[\s\S]*?<\/script>/, ''));
    return page;
  }

  describe.each(Object.keys(states))('%s', (name) => {
    it.each(['light', 'dark'] as const)(
      'has no violation of WCAG 2.2 AA, wide and at 320 px, %s',
      async (colorScheme) => {
        for (const width of [1_280, 320]) {
          const page = await opened(states[name] ?? '', { colorScheme, viewport: { width, height: 900 } });
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          await page.close();
        }
      },
    );
  });

  it.each([
    [every, 800 / 1_000],
    [{ completed: 10, pending: 990 }, 0.01],
    [{ completed: 1, pending: 199_999 }, 1 / 200_000],
    [all, 1],
  ])('fills the bar of %o by its share, to a pixel of the picture', async (accounts, share) => {
    const page = await opened(reportPage(viewOf('S', accounts)), { viewport: { width: 1_000, height: 900 } });
    const picture = await page.locator('.wide .share').screenshot();
    const [width, filled] = await measured(page, picture.toString('base64'));
    expect(Math.abs(filled - share * width)).toBeLessThanOrEqual(1);
    await page.close();
  });

  it('cuts no table at 1,100 px, and breaks no ending of a run word by word', async () => {
    const endings = [
      ...[
        { exit: 6, reason: 'hours', detail: 'until 05:30' },
        { exit: 3, reason: '' },
      ],
      ...[
        { exit: 5, reason: 'supplier-not-ongoing' },
        { exit: 6, reason: 'unrecognised-answers' },
      ],
    ];
    const shown = viewOf('TENTACLE_ENERGY', every);
    const [run] = shown.runs;
    if (run?.end === undefined) throw new Error('a run without an end');
    const { end } = run;
    const runs = endings.map((ended, id) => ({
      ...{ ...run, id: 128 - id, by: { user: 'migrate', host: 'mover-1', version: '0.8.0' } },
      end: { ...end, ...ended, requests: 1_234_567, retries: 12_345, endedAt: end.endedAt + 30_600_000 },
    }));
    const page = await opened(reportPage({ ...shown, runs }), { viewport: { width: 1_100, height: 900 } });
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label') + ' ' + one.scrollWidth + ' of ' + one.clientWidth)`,
    );
    expect(cut).toEqual([]);
    // With the space around them.
    const lines = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('section[aria-labelledby=runs] tbody tr')].map((row) => row.getBoundingClientRect().height / parseFloat(getComputedStyle(row).lineHeight)))`,
    );
    expect(lines).toBeLessThan(4);
    await page.close();
  });

  it('tells every state apart without colour, in the bar and in its key', async () => {
    const page = await opened(reportPage(viewOf('S', every)));
    const names = await page.locator('section[aria-labelledby=accounts] .legend li').allInnerTexts();
    expect(names.map((text) => text.trim())).toEqual([
      ...['completed', 'imported', 'scheduled', 'staged', 'rejected', 'failed', 'uncertain'],
      ...['skipped', 'pending'],
    ]);
    const samples: (readonly number[])[] = [];
    for (const key of await page.locator('section[aria-labelledby=accounts] .legend .key').all())
      samples.push(await greys(page, (await key.screenshot()).toString('base64')));
    const alike: string[] = [];
    for (const [a, one] of samples.entries())
      for (const [b, other] of samples.entries())
        // Both are data that the platform keeps until it creates the account.
        if (a < b && !(names[a] === 'scheduled' && names[b] === 'staged') && difference(one, other) < 16)
          alike.push(`${names[a]} ${names[b]}: ${difference(one, other)}`);
    expect(alike).toEqual([]);
    await page.close();
  });
});

/** The width of a picture, and how many columns from the left have the colour of the first, in its middle row. */
function measured(page: Page, png: string): Promise<[number, number]> {
  return page.evaluate(`(async () => {
    const { data, width, height } = await ${pixels(png)};
    const row = Math.floor(height / 2) * width * 4;
    const green = getComputedStyle(document.querySelector('rect.completed')).fill.match(/\\d+/g).map(Number);
    let filled = 0;
    for (let x = 0; x < width; x += 1)
      if (green.every((value, at) => Math.abs(data[row + x * 4 + at] - value) < 30)) filled += 1;
    return [width, filled];
  })()`);
}

/** The lightness of every pixel, 0 to 255. */
function greys(page: Page, png: string): Promise<number[]> {
  return page.evaluate(`(async () => {
    const { data } = await ${pixels(png)};
    const grey = [];
    for (let at = 0; at < data.length; at += 4)
      grey.push(0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]);
    return grey;
  })()`);
}

function pixels(png: string): string {
  return `(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  })()`;
}

/** The mean difference of lightness. */
function difference(one: readonly number[], other: readonly number[]): number {
  return Math.round(one.reduce((sum, grey, at) => sum + Math.abs(grey - (other[at] ?? 0)), 0) / one.length);
}
