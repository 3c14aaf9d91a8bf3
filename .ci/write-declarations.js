// Writes the type declarations of the public module, and of what it names, into dist.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = ['api/index.ts'];
// It grows while it is walked through.
for (const file of files) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(
    readFileSync(join(root, 'src', file), 'utf8'),
    { fileName: file, reportDiagnostics: true },
  );
  for (const { messageText } of diagnostics)
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  const written = join(root, 'dist', file.replace(/\.ts$/, '.d.ts'));
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, outputText.replaceAll(/(from '\..+)\.ts'/g, "$1.js'"));
  for (const [, named = ''] of outputText.matchAll(/from '(\..+)'/g)) {
    const next = join(dirname(file), named);
    if (!files.includes(next)) files.push(next);
  }
}
