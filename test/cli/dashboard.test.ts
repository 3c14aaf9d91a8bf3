import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openJournal } from '../../src/journal/sqlite/open-journal.ts';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { concluded, refused } from './endings.ts';
import { ranHere } from './own-shell.ts';
import { project, start, workspace } from './tool.ts';

interface Shown {
  readonly url: string;
  readonly token?: string | undefined;
  stop(): Promise<number | null>;
}

/** The dashboard as a user starts it. */
async function shown(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Shown> {
  const child = start(['dashboard', '--json', ...args], cwd, env);
  const closed = once(child, 'close');
  const [first] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const listening = z
    .object({ type: z.literal('listening'), url: z.string(), token: z.string().optional() })
    .parse(JSON.parse(first));
  return {
    ...listening,
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}

/** The page as soon as it has this text: the first look at the journal may not be over. */
async function pageWith(url: string, text: string): Promise<string> {
  for (;;) {
    const page = await (await fetch(url)).text();
    if (page.includes(text)) return page;
  }
}

describe('migrate dashboard', () => {
  const space = workspace();
  const { directory } = space;
  afterAll(() => space.dispose());
  beforeAll(async () => {
    const run = await ranHere(
      ['run', project('fixtures/faulty/export'), '--skip-unreadable', '--json'],
      directory,
    );
    expect(run.code).toBe(3);
  });

  it('shows the book, the latest failures with their cells, and the story of an account', async () => {
    const dashboard = await shown(directory, []);
    try {
      const page = await pageWith(dashboard.url, 'Latest failures');
      const status = concluded(await ranHere(['status', '--json'], directory), 'status', 0);
      const [{ accounts }] = z
        .tuple([z.object({ accounts: z.object({ completed: z.number(), total: z.number() }) })])
        .parse(status['suppliers']) as [{ accounts: { completed: number; total: number } }];
      expect(page).toContain(`Not complete: ${accounts.completed} of ${accounts.total} accounts`);
      const [, link = ''] = /href="(account\?[^"]*)"/.exec(page) ?? [];
      const account = await fetch(new URL(link.replaceAll('&amp;', '&'), dashboard.url));
      expect(account.status).toBe(200);
      expect(await account.text()).toMatch(/<code>\w+\.csv:\d+:\w+/);
    } finally {
      expect(await dashboard.stop()).toBe(0);
    }
  });

  it('starts before the first run, and shows it when it has begun', async () => {
    const empty = workspace();
    const dashboard = await shown(empty.directory, []);
    try {
      await pageWith(dashboard.url, 'There is no journal at');
      expect(existsSync(join(empty.directory, '.migrate'))).toBe(false);
      const journal = openJournal(join(empty.directory, '.migrate/journal.db'), {
        synchronous: 'NORMAL',
        create: true,
      });
      await journal.startRun({
        platform: 'p',
        platformLabel: 'https://p',
        dryRun: false,
        export: 'x',
        startedAt: 0,
      });
      await journal.open('p', { supplier: 'TENTACLE_ENERGY', account: '1' });
      await journal.close();
      await pageWith(dashboard.url, 'Migration of TENTACLE_ENERGY');
    } finally {
      await dashboard.stop();
      empty.dispose();
    }
  });

  it('asks readers from elsewhere for a token, which it makes where none is given', async () => {
    const made = await shown(directory, ['--host', '0.0.0.0']);
    const local = made.url.replace('0.0.0.0', '127.0.0.1');
    try {
      expect((await fetch(local)).status).toBe(401);
      expect((await fetch(local, { headers: { authorization: `Bearer ${made.token}` } })).status).toBe(200);
    } finally {
      await made.stop();
    }
    const given = await shown(directory, [], { MIGRATE_DASHBOARD_TOKEN: 'token-of-the-whole-team' });
    try {
      expect(given.token).toBeUndefined();
      expect((await fetch(given.url)).status).toBe(401);
    } finally {
      await given.stop();
    }
    const short = await ranHere(['dashboard', '--json'], directory, {
      env: { MIGRATE_DASHBOARD_TOKEN: 'short' },
    });
    refused(short, 'dashboard', 2, 'MIGRATE_DASHBOARD_TOKEN has to be at least 16');
  });

  it('says that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      const ended = await ranHere(['dashboard', '--port', String(port), '--json'], directory);
      refused(ended, 'dashboard', 2, `Cannot listen on port ${port}`);
    } finally {
      taken.close();
    }
  });

  describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());

    it('updates itself, fits 400 pixels in dark and light, and is used by keyboard', async () => {
      const dashboard = await shown(directory, []);
      try {
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser.newPage({ viewport: { width: 400, height: 800 }, colorScheme });
          const complaints: string[] = [];
          page.on('console', (message) => void complaints.push(message.text()));
          page.on('pageerror', (error) => void complaints.push(error.message));
          await page.goto(dashboard.url);
          await page.getByText('Live.').waitFor();
          await page.getByRole('heading', { name: 'Latest failures' }).waitFor();
          const width = await page.evaluate('document.documentElement.scrollWidth');
          expect(width).toBeLessThanOrEqual(400);

          // What the reader has opened and focused stays through an update.
          const link = page.getByRole('link').last();
          const account = await link.textContent();
          await link.focus();
          const time = page.locator('#box-time');
          const before = await time.textContent();
          await expect.poll(() => time.textContent(), { timeout: 20_000 }).not.toBe(before);
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: `Account ${account}` }).waitFor();
          expect(complaints).toEqual([]);
          await page.close();
        }
      } finally {
        await dashboard.stop();
      }
    });
  });
});
