import type { CatalogueQueries } from './catalogue-queries.ts';

/** Tables that the user may read, and those that have partitions without these. */
const tables = `pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f') AND NOT EXISTS (SELECT FROM pg_inherits AS h WHERE h.inhrelid = c.oid)
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')`;

/** A table that is found by its plain name needs no schema. */
const schema = `CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname END`;
const other = `CASE WHEN pg_table_is_visible(o.oid) THEN '' ELSE m.nspname END`;

export const postgresCatalogue: CatalogueQueries = {
  columns: `SELECT ${schema} AS a, c.relname::text AS b, a.attname::text AS c, format_type(a.atttypid, a.atttypmod) AS d,
    col_description(c.oid, a.attnum) AS e, obj_description(c.oid, 'pg_class') AS f
    FROM pg_attribute AS a, ${tables} AND a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY 1, 2, a.attnum`,
  keys: `SELECT ${schema} AS a, c.relname::text AS b, k.conname::text AS c, k.contype::text AS d, a.attname::text AS e
    FROM pg_constraint AS k CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS u(num, at), pg_attribute AS a, ${tables}
    AND k.conrelid = c.oid AND k.contype IN ('p', 'u') AND a.attrelid = c.oid AND a.attnum = u.num
    ORDER BY 1, 2, 3, u.at`,
  references: `SELECT ${schema} AS a, c.relname::text AS b, k.conname::text AS c, a.attname::text AS d,
    ${other} AS e, o.relname::text AS f, r.attname::text AS g
    FROM pg_constraint AS k CROSS JOIN unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(num, ref, at),
    pg_attribute AS a, pg_attribute AS r, pg_class AS o JOIN pg_namespace AS m ON m.oid = o.relnamespace, ${tables}
    AND k.conrelid = c.oid AND k.contype = 'f' AND a.attrelid = c.oid AND a.attnum = u.num
    AND o.oid = k.confrelid AND r.attrelid = o.oid AND r.attnum = u.ref
    ORDER BY 1, 2, 3, u.at`,
};
