/** Where a fault of a contract is. */
interface ContractPlace {
  /** The reference to it within the contract: `#/paths/…`. */
  readonly reference?: string | undefined;
  readonly file?: string | undefined;
  /** The line of that file, from 1. */
  readonly line?: number | undefined;
}

/** Why a tenancy's contract cannot be used: `reason` begins with "it"; the message names the line and the remedy. */
export class ContractRefused extends Error {
  override readonly name = 'ContractRefused';
  readonly #reason: string;
  readonly #remedy: string;
  readonly place: ContractPlace;

  constructor(reason: string, remedy: string, { cause, ...place }: ContractPlace & ErrorOptions = {}) {
    const { line } = place;
    super(
      `${reason}${line === undefined ? '' : `: see its line ${line}`}. ${remedy}`,
      cause === undefined ? undefined : { cause },
    );
    this.#reason = reason;
    this.#remedy = remedy;
    this.place = place;
  }

  /** The same with the file, and the line if it is known. */
  at(file: string | undefined, line: number | undefined): ContractRefused {
    return new ContractRefused(this.#reason, this.#remedy, { file, line, cause: this });
  }
}
