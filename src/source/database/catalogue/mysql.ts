import type { CatalogueQueries } from './catalogue-queries.ts';

/** The tables of the database that the address names; information_schema shows those that the user may read. */
export const mysqlCatalogue: CatalogueQueries = {
  columns: `SELECT '' AS a, c.TABLE_NAME AS b, c.COLUMN_NAME AS c, c.COLUMN_TYPE AS d, c.COLUMN_COMMENT AS e, t.TABLE_COMMENT AS f
    FROM information_schema.COLUMNS AS c JOIN information_schema.TABLES AS t
    ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
    WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`,
  keys: `SELECT '' AS a, k.TABLE_NAME AS b, k.CONSTRAINT_NAME AS c,
    CASE WHEN t.CONSTRAINT_TYPE = 'PRIMARY KEY' THEN 'p' ELSE 'u' END AS d, k.COLUMN_NAME AS e
    FROM information_schema.KEY_COLUMN_USAGE AS k JOIN information_schema.TABLE_CONSTRAINTS AS t
    ON t.TABLE_SCHEMA = k.TABLE_SCHEMA AND t.TABLE_NAME = k.TABLE_NAME AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME
    WHERE k.TABLE_SCHEMA = DATABASE() AND t.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE')
    ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
  references: `SELECT '' AS a, k.TABLE_NAME AS b, k.CONSTRAINT_NAME AS c, k.COLUMN_NAME AS d,
    '' AS e, k.REFERENCED_TABLE_NAME AS f, k.REFERENCED_COLUMN_NAME AS g
    FROM information_schema.KEY_COLUMN_USAGE AS k
    WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_SCHEMA = DATABASE()
    ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
};
