/** Backups, secrets, queues and other services. The format is described in `effect-tables.ts`. */
export const SERVICES_EFFECTS = `
borg
  backups.delete: delete|prune|rdelete|repo-delete|compact|recreate|break-lock
restic
  backups.delete: rewrite; key remove; unlock --remove-all; cache --cleanup; ** forget|prune
rclone
  backups.delete: delete|deletefile|purge|cleanup|move|moveto|sync|bisync|rmdir|rmdirs; dedupe !--dedupe-mode *:*
  backups.delete: dedupe *est|first|interactive; dedupe --dedupe-mode={*est,first,interactive}
duplicity
  backups.delete: cleanup; ** remove-*
kopia
  backups.delete: ** delete|expire|remove
tmutil
  backups.delete: delete|deletelocalsnapshots|disable|deleteinprogress
snapper
  backups.delete: delete|rollback|undochange
timeshift
  backups.delete: --delete|--delete-all|--restore
vssadmin
  backups.delete: delete shadows
mc mcli
  cloud.storage: rb|undo; mirror --remove; ** remove|rm|delete|disable|unset
  cloud.overwrite: mv
s3cmd
  cloud.storage: del|rm|rb; sync --delete-removed
s5cmd
  cloud.storage: rm|rb; sync --delete
  cloud.overwrite: mv
b2
  cloud.storage: delete-*|hide-file|cancel-*; rm; sync --delete; ** delete
vault bao
  credentials.delete: ** delete|destroy|disable|revoke|seal|step-down|revoke-*|remove-peer|prune; kv metadata|rollback
  credentials.delete: secrets move|tune; operator rekey|rotate|generate-root
doppler
  credentials.delete: ** delete|revoke|unset
op
  credentials.delete: ** delete|revoke|suspend|archive
bw chamber
  credentials.delete: delete
pass gopass
  credentials.delete: rm|remove|delete
infisical
  credentials.delete: ** delete
ssh-add
  credentials.delete: -D|-d
ssh-keygen
  credentials.delete: -R
gpg
  credentials.delete: --delete-keys|--delete-secret-keys|--delete-secret-and-public-keys
security
  credentials.delete: delete-*|remove-*
keytool
  credentials.delete: -delete
certbot
  credentials.delete: delete|revoke|unregister
kafka-topics
  queue: --delete
kafka-consumer-groups
  queue: --delete|--delete-offsets; --reset-offsets
kafka-configs
  queue: --delete-config
kafka-acls
  queue: --remove
kafka-delete-records kafka-streams-application-reset
  queue: **
rpk
  queue: ** delete|trim-prefix|decommission|uninstall
nats
  queue: ** delete|del|rm|purge|seal; account|cluster|server ** step-down|peer-remove
rabbitmqctl
  queue: delete_*|clear_*|purge_queue|reset|force_reset|forget_cluster_node
  interrupt: stop|stop_app|shutdown|close_*
rabbitmqadmin
  queue: ** delete|purge|close
rabbitmq-plugins
  interrupt: disable
pulsar-admin
  queue: ** delete|clear-backlog|reset-cursor|unload
nsupdate
  delete: **
algolia
  delete: ** delete|clear|remove|reset; ** import --clear-existing
stripe
  delete: ** delete|cancel|remove|roll|void|refund; refunds create; payouts cancel
square
  delete: ** delete|cancel|disable
twilio
  delete: ** remove|*:remove|delete
pd
  delete: ** delete|remove
splunk
  delete: ** clean|remove|delete
  processes.stop-service: stop|restart|offline
grafana-cli
  delete: plugins uninstall|remove; admin reset-admin-password
sentry-cli
  delete: ** delete|remove
ldcli
  delete: ** delete|archive|remove
flipt
  delete: ** delete; import --drop
unleash
  delete: ** delete|archive
split
  delete: ** delete|kill|archive
shopify
  delete: theme delete; app release; theme publish|push
hub
  delete: delete; release delete; api -X|--method=DELETE
  =git
tea
  delete: ** delete|rm
sendmail
  interrupt: -q
postsuper
  queue: -d|-r
eas
  delete: *:delete|*:cancel|*:revoke
fastlane
  interrupt: deliver|release|nuke; match nuke
mkfs
  disks.format: ** /dev/**
`;
