-- Wrote duckdb-CODEC.parquet (DuckDB 1.5), for each codec:
SET TimeZone = 'Europe/London';
COPY (
  SELECT * FROM (VALUES
    ('A-1', 9007199254740993::BIGINT, 12.30::DECIMAL(5,2), 99999999.99::DECIMAL(18,2), 12345678901234567890123456.78::DECIMAL(38,2), DATE '2024-02-29', TIMESTAMP '2024-02-29 10:11:12.5', TIMESTAMPTZ '2024-06-30 10:11:12+01', TIME '23:59:58.000001', true, 0.1::DOUBLE, 0.1::FLOAT, 255::UTINYINT, 18446744073709551615::UBIGINT, 'Zoë', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'::UUID, '{"a": 1.10}'::JSON, [1,2], 'x'::BLOB),
    ('A-2', -1, -0.01, -0.05, -12345678901234567890123456.78, DATE '1899-12-31', TIMESTAMP '1969-12-31 23:59:59', NULL, TIME '00:00:00', false, 1e21, -2.5e-7, 0, 0, '', NULL, NULL, NULL, NULL),
    ('A-3', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
  ) t(nr, large, small, money, huge, day, local, utc, clock, yes, twice, once, tiny, most, name, id, doc, list, bin)
) TO 'duckdb-zstd.parquet' (FORMAT parquet, COMPRESSION zstd);
