/**
 * Makes the pictures of docs/images anew: `npm run images`. It generates a book of 2,000 accounts, 23 of them with faulty phone
 * numbers, and runs it on the embedded platform. It needs Chromium; CHROMIUM=FILE names one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { smallPng } from './small-png.js';

const bin = fileURLToPath(new URL('../../bin/migrate.js', import.meta.url));
const images = fileURLToPath(new URL('../../docs/images', import.meta.url));
const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
);
if (executablePath === undefined) {
  console.log('No Chromium was found: no picture was made. Name one with CHROMIUM=FILE.');
  process.exit(0);
}
const directory = mkdtempSync(join(tmpdir(), 'migrate-images-'));
const env = { PATH: process.env.PATH, HOME: directory, MIGRATE_TIME_ZONE: 'UTC' };

/** Starts the tool in the directory. */
function start(...args) {
  return spawn(process.execPath, [bin, ...args], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Runs it to its end; gives what it wrote. */
async function tool(...args) {
  const child = start(...args);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  await once(child, 'close');
  return text;
}

async function firstLine(child) {
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return JSON.parse(line);
}

/** Makes 23 landlines faulty, all over the book. */
function spoilPhones(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const landline = /,\+44\d{10},/;
  const having = [...lines.keys()].filter((at) => landline.test(lines[at]));
  for (let phone = 0; phone < 23; phone += 1) {
    const at = having[Math.floor((phone * having.length) / 23)];
    lines[at] = lines[at].replace(landline, ',+44123,');
  }
  writeFileSync(file, lines.join('\n'));
}

/** A picture of the top of a page, narrow enough for a README; `ready`: what the page says when it is to be made. */
async function picture(browser, url, name, ready) {
  const page = await browser.newPage({ viewport: { width: 960, height: 720 }, colorScheme: 'light' });
  await page.goto(url);
  if (ready !== undefined) await page.getByText(ready).first().waitFor({ timeout: 120_000 });
  const taken = await page.screenshot();
  const { pixels, width, height } = await page.evaluate(pixelsOf(taken.toString('base64')));
  const small = smallPng(Buffer.from(pixels, 'base64'), width, height);
  await page.close();
  writeFileSync(join(images, name), small);
  console.log(`${name}: ${Math.round(small.length / 1024)} kB`);
}

/** For the browser, which reads what it has drawn. */
function pixelsOf(png) {
  return `(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = '';
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return { pixels: btoa(text), width, height };
  })()`;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await tool('generate', 'book', '--accounts', '2000', '--seed', '11', '--shape', 'flat');
  spoilPhones(join(directory, 'book', 'customers.csv'));
  // It enters the whole book.
  await tool('run', 'book', '--json', '--limit', '400');
  const dashboard = start('dashboard', '--json');
  const { url } = await firstLine(dashboard);
  const run = start('run', 'book', '--json', '--rate', '150');
  run.stdout.resume();
  await picture(browser, url, 'dashboard.png', /Not complete: 1,[1-9]\d\d of/);
  run.kill('SIGINT');
  await once(run, 'close');
  dashboard.kill('SIGINT');
  await tool('run', 'book', '--json');
  await tool('report', '--out', 'report.html');
  await picture(browser, `file://${join(directory, 'report.html')}`, 'report.png');
} finally {
  await browser.close();
  rmSync(directory, { recursive: true, force: true });
}
