import { createHash } from 'node:crypto';
import type { PlannedAction } from '../domain/account-state.ts';
import type { StepName } from '../domain/steps.ts';
import { AtomicFile, type FileRefused } from './atomic-file.ts';

/** The first line of a plan's file. */
export interface PlanHead {
  /** The platform's address, or 'embedded'. */
  readonly platform: string;
  /** The only import supplier that is taken; absent: all. */
  readonly supplier: string | undefined;
  /** Export path as the user gave it. */
  readonly export: string;
}

/** An account in a plan's file. */
export interface PlanLine {
  readonly key: { readonly supplier: string; readonly account: string };
  readonly due: PlannedAction;
  readonly steps: readonly StepName[];
  readonly planHash: string;
}

/**
 * Writes a plan as JSON lines: the head, one line for each account in the order of the export, and an end with a digest
 * of all lines before it, so that a file which was cut or edited is recognised. It contains no customer data.
 */
export class PlanFile {
  readonly #file: AtomicFile;
  readonly #digest = createHash('sha256');
  #accounts = 0;

  private constructor(file: AtomicFile) {
    this.#file = file;
  }

  /** `path` is absolute. */
  static open(path: string): PlanFile | FileRefused {
    const file = AtomicFile.open(path);
    return file instanceof AtomicFile ? new PlanFile(file) : file;
  }

  begin({ platform, supplier = '', export: source }: PlanHead): void {
    this.#write({ type: 'plan', version: 1, platform, supplier, export: source });
  }

  add({ key: { supplier, account }, due, steps, planHash }: PlanLine): void {
    this.#accounts += 1;
    this.#write({ type: 'account', supplier, account, plan: due, steps, data: planHash });
  }

  /** Ends the file and gives it its name; returns why that failed, with the remedy. */
  complete(): string | undefined {
    const sha256 = this.#digest.digest('hex');
    this.#file.add(`${JSON.stringify({ type: 'end', accounts: this.#accounts, sha256 })}\n`);
    return this.#file.complete();
  }

  /** Removes the file if it was not completed. */
  close(): void {
    this.#file.close();
  }

  #write(record: object): void {
    const line = `${JSON.stringify(record)}\n`;
    this.#digest.update(line);
    this.#file.add(line);
  }
}
