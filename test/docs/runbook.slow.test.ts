import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bin, ended, project, served, workspace } from '../cli/tool.ts';

/** The guide's blocks in their order: commands, and files by the name that stands beside the language. */
function blocksOf(guide: string): readonly { readonly file: string; readonly text: string }[] {
  const found = guide.matchAll(/^```(?:sh|yaml (\S+))\n(.*?)^```$/gms);
  return [...found].map(([, file = '', text = '']) => ({ file, text }));
}

const runbook = readFileSync(project('docs/runbook.md'), 'utf8');

it('every command after the rehearsal is of the profile: none looks into the journal of another', () => {
  const commands = runbook.slice(runbook.indexOf('## Pilot')).match(/(?<=^|`)migrate .*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(command).toContain(' --profile live');
});

it('the runbook goes through as it is written, in an empty environment, from the first file to the proof', async () => {
  const space = workspace();
  onTestFinished(() => space.dispose());
  const { directory } = space;
  const platform = await served(directory);
  onTestFinished(() => platform.stop());
  mkdirSync(join(directory, 'bin'));
  symlinkSync(bin, join(directory, 'bin/migrate'));

  const script = blocksOf(runbook)
    .map(({ file, text }) => (file === '' ? text : `cat > ${file} <<'END'\n${text}END\n`))
    .join('')
    // The night that it is tried in has no hours.
    .replace(' --window 22:00-05:30 --time-zone Europe/London', '')
    .replace('https://api.example.com', platform.url);
  writeFileSync(join(directory, 'runbook.sh'), `set -ex\n${script}`);
  const child = spawn('bash', ['runbook.sh'], {
    cwd: directory,
    env: {
      PATH: [join(directory, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
      API_KEY: platform.apiKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await ended(child);
  expect({ code, stderr: stderr.slice(-2000) }).toMatchObject({ code: 0 });
  expect(stdout).toContain('They match: ');
  expect(readFileSync(join(directory, 'migration/numbers.csv'), 'utf8').trim().split('\n')).toHaveLength(61);
});
