import type { PlatformClient } from '../../client/platform-client.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Clock, Random } from '../../domain/clock.ts';
import type { Boot, Finished, Journal, RowsAsked, RowsFound } from '../../journal/journal.ts';
import type { RunFacts } from '../../domain/run-facts.ts';
import type { ByReading } from '../account/by-reading.ts';
import type { AddedItems } from '../added/added-item.ts';
import type { AccountFilter } from './account-filter.ts';
import type { LeaseSettings } from './leases.ts';
import type { MappingPrint } from '../mapping-print.ts';
import type { ReadyPlan } from '../account/ready-plan.ts';
import type { RunEvent } from './run-events.ts';
import type { Settings } from '../settings.ts';
import type { StopControl } from './stop-control.ts';

/** What a run does: the accounts, where they come from, and how they are driven. */
export interface RunInput extends AccountFilter {
  /** The accounts, pulled as places become free. */
  readonly plans: AsyncIterable<ReadyPlan>;
  /** Present if the book may be shared with other runs of the journal. */
  readonly shared?: {
    /** Identifies the contents of the export and of everything that decides how it is mapped. */
    readonly book: string;
    /** The accounts of these partitions; ends the last pass. */
    readonly plansOf: (partitions: ReadonlySet<number>) => AsyncIterable<ReadyPlan>;
    /** Takes a message for people. */
    readonly inform: (message: string) => void;
  };
  /**
   * Present if accounts may be recognised by their rows: `begin` is called before the first plan is pulled, without
   * `find` if the journal has no rows yet.
   */
  readonly recognition?: {
    readonly mapping: MappingPrint;
    readonly begin: (find?: (accounts: readonly RowsAsked[]) => Promise<readonly RowsFound[]>) => void;
  };
  /** The steps that the tenancy adds, before the accounts or after them; absent if there are none. */
  readonly added?: readonly AddedItems[] | undefined;
  /** The source of the plans, for the history. */
  readonly export: string;
  /** The same as an absolute path, by which the journal recognises the export. */
  readonly place: string;
  /** The locations of the `--with` directories, as absolute paths. */
  readonly fixes?: readonly string[];
  /**
   * Identifies the unchanged export, so that it need not be read again when it is completed; absent if that is not
   * possible.
   */
  readonly print?: (() => Promise<Pick<Finished, 'fingerprint' | 'content'>>) | undefined;
  /** The number of accounts in it and its fixes. */
  readonly size?: number;
  /** Whether the export has faults that belong to no account: the run cannot end with 0. */
  readonly faults: number;
  readonly platform: string;
  readonly platformLabel: string;
  readonly settings: Settings;
  readonly lease: LeaseSettings;
  /** The boot of this machine: shows whether the clock was set since an earlier run. */
  readonly boot?: Boot;
  /** Who started it, for the history. */
  readonly by?: Actor;
  /** How it was started and what it is given, for the history. */
  readonly facts?: RunFacts;
}

/** The resources of a run that it does not own. */
export interface RunPorts {
  readonly client: PlatformClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop: StopControl;
  readonly emit: (event: RunEvent) => void;
  /** Absent if accounts cannot be read back. */
  readonly byReading?: ByReading | undefined;
}
