/** The `--with` directory that an account's data came from instead of the export. */
export interface Fix {
  /** The directory as the user named it; messages name its files under this name. */
  readonly name: string;
  /** The same directory as an absolute path. */
  readonly place: string;
  /** Whether the export also has the account. */
  readonly isInExport: boolean;
  /** Fingerprints of the plans that it replaces: of the export, and of earlier `--with` directories. */
  readonly replaces: readonly string[];
}
