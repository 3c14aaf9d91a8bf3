-- For psql, by the owner of the database, before the first run: the journal's schema, and a role that can only look.
\set looking_password `cat /run/secrets/looking-password`
CREATE ROLE looking LOGIN PASSWORD :'looking_password';
CREATE SCHEMA migrate AUTHORIZATION migrate;
GRANT USAGE ON SCHEMA migrate TO looking;
ALTER DEFAULT PRIVILEGES FOR ROLE migrate IN SCHEMA migrate GRANT SELECT ON TABLES TO looking;
