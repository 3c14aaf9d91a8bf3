import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const scripts = join('test', 'journal', 'crash');

/** Node 20 runs no TypeScript by itself: puts what the scripts of this directory need, as JavaScript, into another. */
export function compileInto(directory: string): void {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const room of ['src/domain', 'src/sqlite', 'src/journal', scripts])
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const path = join(room, name);
      const { outputText } = ts.transpileModule(readFileSync(join(root, path), 'utf8'), { compilerOptions });
      const target = join(directory, path.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, outputText);
    }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
}

/** Runs a compiled script as a process of its own and gives the lines that it says until it ends. */
export async function linesOf(
  compiled: string,
  script: string,
  args: readonly string[],
  each: (lines: readonly string[], child: ChildProcess) => void = () => undefined,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(compiled, scripts, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    each(lines, child);
  }
  await closed;
  return lines;
}
