/**
 * The queries that a database answers about itself. Each has these columns: `columns` schema, name, column, type, comment, table comment;
 * `keys` schema, name, constraint, p (primary) or u, column, in order; `references` schema, name, constraint, column, other schema,
 * other table, other column (empty: that of its primary key), in order.
 */
export interface CatalogueQueries {
  readonly columns: string;
  readonly keys: string;
  readonly references: string;
}
