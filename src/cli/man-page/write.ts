import { writeFileSync } from 'node:fs';
import { makeProgram } from '../program.ts';
import { systemShell } from '../shell.ts';
import { packaged, version } from '../../host/packaged.ts';
import { manPage } from './man-page.ts';

// A step of the build.
const program = makeProgram(systemShell(), () => undefined);
writeFileSync(packaged('dist/migrate.1'), manPage(program, version()));
