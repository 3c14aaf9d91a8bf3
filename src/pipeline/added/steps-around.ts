import type { AddedItems } from './added-item.ts';
import { driveSteps, type StepPorts, type StepsResult } from './drive-steps.ts';

/** Sends what a profile adds before and after the accounts of a run, and keeps what is left of it. */
export class StepsAround {
  /** Why the run stops in the end: what some accounts need is not done. */
  left: StepsResult['left'];
  /** What is not done because accounts are not completed. */
  waiting: StepsResult['waiting'];
  /** Whether what is sent before the accounts is done. */
  mayDrive: boolean;
  readonly #added: readonly AddedItems[];
  readonly #ports: () => StepPorts;
  readonly #fail: (error: unknown) => void;

  constructor(added: readonly AddedItems[], ports: () => StepPorts, fail: (error: unknown) => void) {
    this.#added = added;
    this.#ports = ports;
    this.#fail = fail;
    this.mayDrive = !this.hasBefore;
  }

  /** Whether anything is sent before the accounts. */
  get hasBefore(): boolean {
    return this.#of(undefined).length > 0;
  }

  /** False if none of the accounts may be driven. */
  async before(): Promise<boolean> {
    this.mayDrive = await this.#drive(this.#of(undefined));
    return this.mayDrive;
  }

  async after(): Promise<void> {
    await this.#drive(this.#of('accounts'));
  }

  #of(after: 'accounts' | undefined): readonly AddedItems[] {
    return this.#added.filter(({ step }) => step.after === after);
  }

  async #drive(steps: readonly AddedItems[]): Promise<boolean> {
    if (steps.length === 0) return true;
    const { mayDrive, left, waiting } = await driveSteps(steps, this.#ports()).catch(
      (error: unknown): StepsResult => {
        this.#fail(error);
        return { mayDrive: false };
      },
    );
    this.left ??= left;
    this.waiting ??= waiting;
    return mayDrive;
  }
}
