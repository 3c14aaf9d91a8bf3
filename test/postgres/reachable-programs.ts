import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programsHere, serverUser } from './programs.ts';

/**
 * Before all tests: copies PostgreSQL's programs to where the user who runs them may, if they lie in a directory that only root may
 * enter; removes the copy afterwards.
 */
export default async function copyPrograms(): Promise<(() => void) | undefined> {
  const programs = await programsHere();
  if (programs === undefined) return undefined;
  const tried = spawnSync(programs.initdb, ['--version'], { ...serverUser, cwd: '/' });
  const { code } = (tried.error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'EACCES') return undefined;
  const copy = mkdtempSync(join(tmpdir(), 'postgres-programs-'));
  cpSync(dirname(dirname(programs.initdb)), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  process.env['POSTGRES_PROGRAMS'] = join(copy, 'bin');
  return () => rmSync(copy, { recursive: true, force: true });
}
