-- Creates the journal's schema and a read-only role. The owner of the database runs this with psql, before the first run.
\set looking_password `cat /run/secrets/looking-password`
CREATE ROLE looking LOGIN PASSWORD :'looking_password';
CREATE SCHEMA migrate AUTHORIZATION migrate;
GRANT USAGE ON SCHEMA migrate TO looking;
ALTER DEFAULT PRIVILEGES FOR ROLE migrate IN SCHEMA migrate GRANT SELECT ON TABLES TO looking;
