/** The holder of a supplier. */
export interface LeaseOwner {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid: when it started, as the system reports it. */
  readonly processStart: string;
}
