import { Command, Help } from 'commander';

/** The heading of the options that every command has. */
export const commonOptions = 'Options of every command:';

/** A command of the tool, with examples in its help. */
export class Usage extends Command {
  readonly examples: string[] = [];
  /** The topics that its help lists. */
  topics: () => readonly Topic[] = () => [];

  /** Adds examples: command lines that work unchanged. */
  example(...lines: readonly string[]): this {
    this.examples.push(...lines);
    return this;
  }

  override createHelp(): Help {
    return Object.assign(new UsageHelp(this.examples, this.topics()), this.configureHelp());
  }
}

interface Topic {
  readonly name: string;
  /** One line. */
  readonly title: string;
}

class UsageHelp extends Help {
  readonly #examples: readonly string[];
  readonly #topics: readonly Topic[];

  constructor(examples: readonly string[], topics: readonly Topic[]) {
    super();
    this.#examples = examples;
    this.#topics = topics;
  }

  override subcommandTerm(command: Command): string {
    return super.subcommandTerm(command).replace(' [options]', '');
  }

  override formatHelp(command: Command, helper: Help): string {
    const width = helper.padWidth(command, helper);
    const topics = this.#topics.map(({ name, title }) => helper.formatItem(name, width, title, helper));
    const examples = this.#examples.map((line) => `  ${line}`);
    return [
      super.formatHelp(command, helper),
      ...helper.formatItemList('Topics (migrate help TOPIC):', topics, helper),
      ...helper.formatItemList('Examples:', examples, helper),
    ]
      .join('\n')
      .trimEnd()
      .concat('\n');
  }
}
