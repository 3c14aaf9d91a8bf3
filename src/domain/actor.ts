/** Who gave a command: kept with each run, ruling, retry and restore. */
export interface Actor {
  /** The login name, as the system gives it. */
  readonly user: string;
  readonly host: string;
  /** Version of the tool. */
  readonly version: string;
}
