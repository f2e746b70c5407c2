/** Databases and their migrations. The format is described in `effect-tables.ts`. */
export const DATABASES_EFFECTS = `
mysqladmin mariadb-admin
  databases.drop-data: ** drop
  processes.stop-service: ** shutdown|kill
  databases.reset: ** flush-*|password
dropdb dropuser pg_dropcluster
  databases.drop-data: #1
pg_restore
  databases.restore: -c|--clean|-C|--create
pg_dump
  databases.restore: -c|--clean
pg_resetwal
  databases.reset: **
pg_ctl
  processes.stop-service: stop|restart|promote|kill
initdb
  databases.reset: --overwrite
mongorestore mongodump
  databases.restore: --drop
mongoimport
  databases.restore: --drop; --mode=delete
flushall flushdb
  databases.drop-data: **
redis-cli valkey-cli
  databases.drop-data: ** flushall|flushdb|FLUSHALL|FLUSHDB|FlushAll|FlushDB
  databases.drop-data: ** config|CONFIG resetstat|RESETSTAT|set|SET|rewrite|REWRITE
  databases.drop-data: ** shutdown|SHUTDOWN|debug|DEBUG|del|DEL|unlink|UNLINK|slaveof|SLAVEOF|replicaof|REPLICAOF|swapdb|SWAPDB
  databases.drop-data: ** script|SCRIPT flush|FLUSH; ** cluster|CLUSTER reset|RESET|forget|FORGET|flushslots|FLUSHSLOTS
  databases.drop-data: ** acl|ACL deluser|DELUSER; ** client|CLIENT kill|KILL
influx
  databases.drop-data: delete; ** delete; bucket|org|user|task|auth delete; restore
nodetool
  databases.drop-data: decommission|removenode|assassinate|clearsnapshot|drain|stopdaemon|truncatehints
cockroach
  databases.drop-data: node decommission|drain; quit; debug reset-quorum
pscale
  databases.drop-data: ** delete
turso
  databases.drop-data: ** destroy|delete|remove|invalidate
neonctl
  databases.drop-data: ** delete|reset|restore
atlas
  databases.drop-data: ** delete|terminate|pause
prisma
  databases.reset: migrate reset; db push --force-reset|--accept-data-loss
drizzle-kit
  databases.reset: drop; push --force
knex
  databases.reset: migrate:rollback --all; migrate:down; migrate:rollback
sequelize sequelize-cli
  databases.reset: db:drop|db:migrate:undo:all
typeorm
  databases.reset: schema:drop|migration:revert
rails rake
  databases.reset: db:drop|db:drop:*|db:reset|db:schema:load|db:purge|db:migrate:reset|db:truncate_all|db:setup|db:seed:replant|db:structure:load
artisan
  databases.reset: migrate:fresh|migrate:refresh|migrate:reset|migrate:rollback|db:wipe|queue:flush|queue:clear
manage.py django-admin
  databases.reset: flush|reset_db|sqlflush|remove_stale_contenttypes; migrate ** zero
alembic
  databases.reset: downgrade
flyway
  databases.reset: ** clean|undo
liquibase
  databases.reset: ** drop-all|dropAll|rollback*|rollback
dbmate
  databases.reset: drop|rollback|down
goose
  databases.reset: ** reset|down|down-to
migrate
  databases.reset: ** drop|down|force
mix
  databases.reset: ecto.drop|ecto.reset|ecto.rollback|hex.retire
diesel
  databases.reset: database reset|drop; migration revert|redo
sqlx
  databases.reset: database drop|reset; migrate revert
dbt
  databases.reset: run-operation; run|build --full-refresh
hasura
  databases.reset: migrate ** --down; metadata clear
meteor
  databases.reset: reset
`;
