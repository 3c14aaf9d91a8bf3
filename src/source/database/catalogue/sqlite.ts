import type { CatalogueQueries } from './catalogue-queries.ts';

const tables = `(SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\') AS t`;

/** SQLite has no comments, and a reference without a column is to the primary key. */
export const sqliteCatalogue: CatalogueQueries = {
  columns: `SELECT '' AS a, t.name AS b, p.name AS c, p.type AS d, '' AS e, '' AS f
    FROM ${tables}, pragma_table_xinfo(t.name) AS p WHERE p.hidden <> 1 ORDER BY t.name, p.cid`,
  keys: `SELECT a, b, c, d, e FROM (
      SELECT '' AS a, t.name AS b, 'primary' AS c, 'p' AS d, p.name AS e, p.pk AS at
      FROM ${tables}, pragma_table_info(t.name) AS p WHERE p.pk > 0
      UNION ALL
      SELECT '', t.name, i.name, 'u', x.name, x.seqno
      FROM ${tables}, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS x
      WHERE i."unique" = 1 AND i.partial = 0 AND i.origin <> 'pk' AND x.name IS NOT NULL
    ) ORDER BY b, c, at`,
  references: `SELECT '' AS a, t.name AS b, CAST(f.id AS TEXT) AS c, f."from" AS d, '' AS e, f."table" AS f, f."to" AS g
    FROM ${tables}, pragma_foreign_key_list(t.name) AS f ORDER BY t.name, f.id, f.seq`,
};
