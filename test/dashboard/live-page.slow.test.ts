import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FailedAccount, Night } from '../../src/dashboard/night.ts';
import { startDashboard, type RunningDashboard } from '../../src/dashboard/server.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import type { RunEntry } from '../../src/journal/journal.ts';
import { OwnClock } from '../report/fixture.ts';
import { viewOf } from '../report/html-report/report-view.ts';
import { nightOf, OwnSource } from './own-source.ts';

/** Failures of these accounts, in this order. */
function failuresOf(accounts: readonly string[]): readonly FailedAccount[] {
  return accounts.map((account) => ({
    account,
    state: 'rejected' as const,
    code: 'invalid_phone_number',
    places: [`customers.csv:${account.length}:phone`],
  }));
}

function nightWith(accounts: Parameters<typeof nightOf>[0], failing: readonly string[]): Night {
  const night = nightOf(accounts);
  return { ...night, suppliers: night.suppliers.map((one) => ({ ...one, failures: failuresOf(failing) })) };
}

describe.skipIf(chromiumPath === undefined)('the live page in Chromium', () => {
  let browser: Browser;
  let dashboard: RunningDashboard | undefined;
  let page: Page;
  let clock: OwnClock;
  let source: OwnSource;
  let complaints: string[];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.close();
    await dashboard?.close();
  });

  /** The page with this night, and with the browser's own clock stopped. */
  async function opened(night: Night): Promise<void> {
    clock = new OwnClock();
    source = new OwnSource();
    source.night = night;
    const place = { host: '127.0.0.1', port: 0, timeZone: 'UTC', version: '1.2.3' };
    dashboard = await startDashboard({ ...place, source, clock });
    while (clock.waiting === 0) await new Promise(setImmediate);
    page = await browser.newPage();
    complaints = [];
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.clock.install({ time: clock.now() });
    await page.clock.pauseAt(clock.now() + 1);
    await page.goto(dashboard.url);
    await page.getByText('Live.').waitFor();
  }

  /** The next look, once the page shows it. */
  async function look(night: Night): Promise<void> {
    source.night = night;
    await clock.pass(2_000);
    const time = new Date(clock.now()).toISOString();
    await page.locator(`#box-time time[datetime="${time}"]`).waitFor();
  }

  const text = (selector: string) => page.locator(selector).innerText();

  it('says within five seconds of silence that there is no data, and since when', async () => {
    await opened(nightOf({ pending: 120, completed: 5 }));
    expect(await text('#box-headline')).toContain('Not complete: 5 of 125');
    await page.clock.runFor(4_900);
    expect(await page.title()).toBe('Migration of TENTACLE_ENERGY');
    await page.clock.runFor(1_000);
    expect(await page.title()).toBe('No data since 20:00:00 · Migration of TENTACLE_ENERGY');
    const alert = page.getByRole('alert').filter({ hasText: 'No data since 20:00:00' });
    expect(await alert.isVisible()).toBe(true);
    expect(await page.locator('#box-headline').isVisible()).toBe(false);
    expect(await page.getByText('Live.').count()).toBe(0);

    // A journal that cannot be read is silent too, although the connection is not.
    source.night = new Error('The journal is damaged.');
    await clock.pass(2_000);
    await page.getByText('The journal is damaged.').waitFor();
    await page.clock.runFor(1_000);
    expect(await alert.isVisible()).toBe(true);

    await look(nightOf({ pending: 60, completed: 65 }));
    await page.getByText('Live.').waitFor();
    expect(await page.title()).toBe('Migration of TENTACLE_ENERGY');
    expect(await alert.count()).toBe(0);
    expect(await text('#box-headline')).toContain('Not complete: 65 of 125');

    await dashboard!.close();
    await page.clock.runFor(6_000);
    expect(await page.title()).toBe('No data since 20:00:04 · Migration of TENTACLE_ENERGY');
    expect(await text('#connection')).toBe('Connection lost. Reconnecting.');
    expect(complaints.filter((line) => !line.includes('ERR_'))).toEqual([]);
  });

  it('keeps focus and selection at their account through 100 updates that move its row', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `ACC-${at}`);
    await opened(nightWith({ pending: 300, rejected: 10 }, names));
    await page.getByRole('link', { name: 'ACC-4' }).focus();
    await page.evaluate(`{
      const row = [...document.querySelectorAll('#box-failures tr')].find((one) => one.textContent.includes('ACC-6'));
      const [cell] = row.querySelectorAll('td:last-child code');
      document.getSelection().selectAllChildren(cell);
      window.rowBefore = row;
    }`);
    const selected = () => page.evaluate<string>('String(document.getSelection())');
    const before = await selected();
    expect(before).toContain('customers.csv:5:phone');
    for (let update = 0; update < 100; update += 1) {
      // Each list is another one: others come, go and change their places around these two.
      const others = Array.from({ length: 3 + (update % 5) }, (_, at) => `NEW-${update}-${at}`);
      const mixed =
        update % 2 === 0
          ? [...others, 'ACC-4', 'ACC-6']
          : ['ACC-6', ...others.toReversed(), 'ACC-4', 'ACC-1'];
      await look(nightWith({ pending: 300 - update, rejected: 10 + update }, mixed));
      expect(await page.evaluate('document.activeElement.textContent')).toBe('ACC-4');
      expect(await selected()).toBe(before);
    }
    expect(await page.evaluate('window.rowBefore.isConnected')).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account ACC-4' }).waitFor();
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('gives the focus to no other account when the one that had it leaves the list', async () => {
    await opened(nightWith({ pending: 3, rejected: 2 }, ['ACC-1', 'ACC-2']));
    await page.getByRole('link', { name: 'ACC-1' }).focus();
    await look(nightWith({ pending: 3, rejected: 2 }, ['ACC-2', 'ACC-3']));
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Latest failures, newest first',
    );
  });

  it('draws the rate that it states, as many accounts as ended, and a standstill until now', async () => {
    await opened(nightOf({ pending: 2_000, completed: 100 }));
    for (let looks = 1; looks <= 15; looks += 1)
      await look(nightOf({ pending: 2_000 - 32 * looks, completed: 100 + 31 * looks, rejected: looks }));
    for (let looks = 0; looks < 5; looks += 1)
      await look(nightOf({ pending: 1_520, completed: 565, rejected: 15 }));

    const cells = await page
      .locator('#box-chart details td')
      .evaluateAll((all) => all.map(({ textContent }) => Number(textContent)));
    expect(cells.filter((_, at) => at % 2 === 0).reduce((sum, count) => sum + count)).toBe(465);
    expect(cells.filter((_, at) => at % 2 === 1).reduce((sum, count) => sum + count)).toBe(15);

    // 32 accounts in every look of two seconds are 16 a second, whatever the width of a bar.
    const bars = await page.evaluate<{ right: number; top: number }[]>(`(() => {
      const svg = document.querySelector('#box-chart svg[role=img]');
      const whole = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('rect')].map((rect) => {
        const { right, top } = rect.getBoundingClientRect();
        return { right: (right - whole.left) / whole.width, top: (whole.bottom - top) / whole.height };
      });
    })()`);
    const [highest = ''] = (await text('#box-chart .scale')).split('\n');
    expect(highest).toBe('20/s');
    const top = Math.max(...bars.map((bar) => bar.top)) * 20;
    expect(Math.abs(top - 16)).toBeLessThan(1);
    // The last quarter of the axis is the standstill.
    expect(Math.max(...bars.map(({ right }) => right))).toBeLessThan(0.76);
    expect((await text('#box-chart .times')).split('\n').map((time) => time.trim())).toEqual([
      '2026-07-01 20:00:00',
      '2026-07-01 20:00:20',
      '2026-07-01 20:00:40',
    ]);
  });

  it('marks where runs began, stopped early and ended, also of a run that begins again', async () => {
    const night = nightOf({ pending: 300, completed: 5 });
    const { platform } = night.suppliers[0]!.status;
    await opened(night);
    const from = clock.now();
    const [run] = viewOf('S').runs;
    if (run?.end === undefined) throw new Error('no run');
    const during = (id: number, startedAt: number, endedAt?: number, reason = ''): RunEntry => ({
      ...{ id, platform, platformLabel: 'https://p', dryRun: false, export: 'e', startedAt },
      ...(endedAt === undefined ? {} : { end: { ...run.end!, endedAt, reason, exit: 0 } }),
    });
    const marks = () =>
      page.evaluate<{ kind: string; x: number }[]>(`(() => {
        const svg = document.querySelector('#box-chart svg[role=img]');
        const lines = [...svg.querySelectorAll('line:not(.grid)')];
        const found = lines.map((line) => ({ kind: line.getAttribute('class'), x: parseFloat(line.getAttribute('x1')) }));
        return found.sort((one, other) => one.x - other.x);
      })()`);
    for (let looks = 0; looks < 9; looks += 1) await look({ ...night, running: new Set() });
    const stopped = during(1, from + 2_000, from + 10_000, 'interrupt');
    await look({ ...night, runs: [during(2, from + 16_000), stopped], running: new Set([2]) });
    expect(await marks()).toEqual([
      { kind: 'began', x: 10 },
      { kind: 'stopped', x: 50 },
      { kind: 'began', x: 80 },
    ]);
    await look({ ...night, runs: [during(2, from + 16_000, from + 22_000), stopped] });
    expect((await marks()).map(({ kind }) => kind)).toEqual(['began', 'stopped', 'began', 'ended']);
    await page.getByText('Figures').first().click();
    expect((await text('#box-chart details')).replaceAll(/\s+/g, ' ')).toContain(
      '2026-07-01 20:00:10 Run 1 stops: interrupted 2026-07-01 20:00:16 Run 2 begins',
    );
  });
});
