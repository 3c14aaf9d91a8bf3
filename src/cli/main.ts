import { leaveSoon } from './leave.ts';
import { watchOutput } from './lost-output.ts';
import { run } from './run-program.ts';
import { systemShell } from './system-shell.ts';

watchOutput();
process.exitCode = await run(systemShell(), process.argv.slice(2));
leaveSoon();
