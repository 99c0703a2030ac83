#!/bin/sh
# Run once by the primary's image: a role that a standby may follow with.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE replica WITH REPLICATION LOGIN PASSWORD 'boxman';
SQL
echo "host replication replica all scram-sha-256" >> "$PGDATA/pg_hba.conf"
