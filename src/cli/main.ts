import { leaveSoon } from './leave.ts';
import { watchBrokenPipe } from './broken-pipe.ts';
import { run } from './run-program.ts';
import { systemShell } from './system-shell.ts';

watchBrokenPipe();
process.exitCode = await run(systemShell(), process.argv.slice(2));
leaveSoon();
