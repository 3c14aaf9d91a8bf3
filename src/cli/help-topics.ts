import { readdirSync, readFileSync } from 'node:fs';
import { exitCodeMeanings, exitPrecedence } from '../domain/exit-codes.ts';
import { packaged } from '../app/system/packaged.ts';

/** What `migrate help` tells beside the commands. */
export interface HelpTopic {
  readonly name: string;
  /** In one line. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The guides of the package, by name; and what is made from the tool itself. */
export function helpTopics(): readonly HelpTopic[] {
  const guides = readdirSync(packaged('docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => guide(file.slice(0, -'.md'.length), readFileSync(packaged(`docs/${file}`), 'utf8')));
  // Our own plain names: the collator of a language takes longer to load than all the rest of --help.
  return [...guides, guide('exit-codes', exitCodes()), guide('configuration', configuration())].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

/** A guide begins with its title. */
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
    `Where several hold, the first of ${exitPrecedence.join(', ')} is given. When whoever reads the output has`,
    'gone, `run` stops as by an interrupt, and ends with 6 if work is left; commands that leave nothing half done end',
    'with 141, as usual.',
  ].join('\n');
}

function configuration(): string {
  const example = readFileSync(packaged('.migraterc.example'), 'utf8');
  return `# Settings, their defaults and what they mean\n\n\`\`\`yaml\n${example}\n\`\`\``;
}
