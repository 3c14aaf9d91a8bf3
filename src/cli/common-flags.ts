/** Flags of every command. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** false by --no-color. */
  readonly color: boolean;
  readonly config?: string;
  readonly profile?: string;
  readonly journal?: string;
}
