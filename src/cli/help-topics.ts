import { readdirSync, readFileSync } from 'node:fs';
import { exitCodeMeanings, exitPrecedence } from '../domain/exit-codes.ts';
import { packaged } from '../host/packaged.ts';

/** A topic of `migrate help`. */
export interface HelpTopic {
  readonly name: string;
  /** One line. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The topics by name: the guides of the package, and what is generated from the code. */
export function helpTopics(): readonly HelpTopic[] {
  const guides = readdirSync(packaged('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => guide(file.slice(0, -'.md'.length), readFileSync(packaged(`docs/${file}`), 'utf8')));
  // Plain comparison: loading a collator takes longer than the rest of --help.
  return [...guides, guide('exit-codes', exitCodes()), guide('configuration', configuration())].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

/** A topic from a guide, which begins with its title. */
function guide(name: string, text: string): HelpTopic {
  return { name, title: /^# (.*)/.exec(text)?.[1] ?? name, text };
}

function exitCodes(): string {
  const rows = Object.entries(exitCodeMeanings).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return [
    '# Exit codes',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...rows,
    '',
    `If several apply, the exit code is the first of ${exitPrecedence.join(', ')}. If the reader of the output closes the`,
    'pipe, `run` stops as on an interrupt, and ends with 6 if work is left. If the reader takes nothing for ten seconds after a',
    'run, the rest of the output is dropped. Other commands end with 141 when the pipe is closed, as usual.',
  ].join('\n');
}

function configuration(): string {
  const example = readFileSync(packaged('.migraterc.example'), 'utf8');
  return `# Settings and their defaults\n\n\`\`\`yaml\n${example}\n\`\`\``;
}
