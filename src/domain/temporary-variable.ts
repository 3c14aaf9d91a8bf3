import { platform } from 'node:os';

/** The environment variable that names the directory of temporary files. */
export const temporaryVariable: string = platform() === 'win32' ? 'TEMP' : 'TMPDIR';
