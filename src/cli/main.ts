import { leaveSoon } from './leave.ts';
import { watchBrokenPipe } from './broken-pipe.ts';
import { run } from './run-program.ts';
import { systemShell } from './system-shell.ts';

watchBrokenPipe();
const args = process.argv.slice(2);
process.exitCode = await run(systemShell(), args);
leaveSoon({ isRun: args[0] === 'run' });
