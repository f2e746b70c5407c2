/** Databases and their migrations. The format is described in `effect-tables.ts`. */
export const DATABASES_EFFECTS = `
mysqladmin mariadb-admin
  drop-data: ** drop
  processes.stop-service: ** shutdown|kill
  reset: ** flush-*|password
dropdb dropuser pg_dropcluster
  drop-data: #1
pg_restore
  restore: -c|--clean|-C|--create
pg_dump
  restore: --clean; -c !-Fc
pg_resetwal
  reset: !-n|-V|--version **
pg_ctl
  processes.stop-service: stop|restart|promote|kill
initdb
  reset: --overwrite
mongorestore mongodump
  restore: --drop
mongoimport
  restore: --drop; --mode=delete
flushall flushdb
  drop-data: **
redis-cli valkey-cli
  drop-data: ** flushall|flushdb|slaveof|replicaof|swapdb; ** config resetstat|set|rewrite
  delete-keys: ** del|unlink
  processes.stop-service: ** shutdown
  drop-data: ** debug segfault|panic|restart|crash*|reload|loadaof|oom|flushall; ** script flush; ** eval *flushall*|*flushdb*
  drop-data: ** cluster reset|forget|flushslots; ** acl deluser; ** client kill
influx
  drop-data: delete; ** delete; bucket|org|user|task|auth delete; restore
nodetool
  drop-data: decommission|removenode|assassinate|clearsnapshot|drain|stopdaemon|truncatehints
cockroach
  drop-data: node decommission|drain; quit; debug reset-quorum
pscale
  drop-data: ** delete
turso
  drop-data: ** destroy|delete|remove|invalidate
neonctl
  drop-data: ** delete|reset|restore
atlas
  drop-data: ** delete|terminate|pause
prisma
  reset: migrate reset; db push --force-reset|--accept-data-loss
drizzle-kit
  reset: drop; push --force
knex
  reset: migrate:rollback --all; migrate:down; migrate:rollback
sequelize sequelize-cli
  reset: db:drop|db:migrate:undo:all
typeorm
  reset: schema:drop|migration:revert !--fake
rails rake
  reset: db:drop|db:drop:*|db:reset|db:schema:load|db:purge|db:migrate:reset|db:truncate_all|db:setup|db:seed:replant|db:structure:load
artisan
  reset: migrate:fresh|migrate:refresh|migrate:reset|migrate:rollback|db:wipe|queue:flush|queue:clear
manage.py django-admin
  reset: flush|reset_db|sqlflush|remove_stale_contenttypes; migrate ** zero
alembic
  reset: downgrade
flyway
  reset: ** clean|undo
liquibase
  reset: ** drop-all|dropAll|rollback*|rollback
dbmate
  reset: drop|rollback|down
goose
  reset: ** reset|down|down-to
migrate
  reset: ** drop|down|force
mix
  reset: ecto.drop|ecto.reset|ecto.rollback|hex.retire
diesel
  reset: database reset|drop; migration revert|redo
sqlx
  reset: database drop|reset; migrate revert
dbt
  reset: run-operation; run|build --full-refresh
hasura
  reset: migrate ** --down; metadata clear
meteor
  reset: reset
`;
