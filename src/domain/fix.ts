/** The `--with` directory that an account's data came from instead of the export. */
export interface Fix {
  /** The directory as the user named it: the files of its cells are named under it. */
  readonly name: string;
  /** The same as an absolute path. */
  readonly place: string;
  /** The export has the account too. */
  readonly isInExport: boolean;
  /** Fingerprints of the plans whose place it takes: of the export, and of earlier `--with` directories. */
  readonly replaces: readonly string[];
}
