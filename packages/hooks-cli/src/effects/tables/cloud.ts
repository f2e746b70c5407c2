/** Cloud providers and platforms. The format is described in `effect-tables.ts`. */
export const CLOUD_EFFECTS = `
aws
  cloud.storage: s3 rm|rb; s3 sync --delete; s3 mv --recursive
  cloud.storage: s3api delete-*|put-bucket-policy|put-bucket-versioning|put-bucket-lifecycle*; s3control delete-*
  cloud.delete: * delete-*|batch-delete-*|terminate-*|remove-*|purge-*|deregister-*|disassociate-*|detach-*|destroy-*|revoke-*|unsubscribe|stop-*|disable-*|schedule-key-deletion|cancel-*|release-*|reset-*|delete
  cloud.delete: cloudformation cancel-update-stack
  cloud.overwrite: secretsmanager put-secret-value|update-secret|rotate-secret|remove-*; ssm put-parameter --overwrite
  cloud.overwrite: route53 change-resource-record-sets; cloudfront create-invalidation
  cloud.overwrite: iam put-*|attach-*|create-access-key|update-*
  cloud.overwrite: ec2 modify-*|reboot-instances|authorize-security-group-*; rds modify-*|reboot-*|restore-*
  cloud.overwrite: kms disable-*|put-key-policy; dynamodb restore-*; apigateway update-*; elbv2 modify-*
  cloud.overwrite: autoscaling set-desired-capacity --desired-capacity=0; ecs update-service --desired-count=0
  databases.drop-data: rds-data execute-statement --sql=*drop*
gcloud
  cloud.storage: storage ** rm|delete; storage rsync --delete-unmatched-destination-objects
  cloud.delete: ** delete|undeploy|destroy|remove-*|disable|stop|reset|purge|abandon-*|revoke|delete-*|untag|suspend|failover|detach-*
  cloud.overwrite: ** set-iam-policy|restore|rollback|add-iam-policy-binding|set-machine-type; app versions migrate
gsutil
  cloud.storage: rm|rb; rsync -d; mv; ** iam set; acl set; lifecycle set; versioning set; defacl set
bq
  databases.drop-data: rm; query --replace; load --replace
az
  cloud.storage: storage ** delete|delete-batch|remove|purge; storage blob sync --delete-destination
  cloud.delete: ** delete|purge|untag|remove|stop|deallocate|disable|deregister|delete-batch|delete-*|remove-*|cancel|detach|clear|uninstall|revoke|stop-*|restart|redeploy|failover
  cloud.overwrite: keyvault secret set; role assignment create
  cloud.overwrite: ** restore|reimage|reset|regenerate|regenerate-key*|renew; deployment ** create --mode=complete
azcopy
  cloud.storage: remove|rm; sync --delete-destination=true; sync --delete-destination
doctl
  cloud.delete: ** delete|rm|d|destroy|remove|power-off|shutdown|detach|reboot|rebuild|restore
linode-cli
  cloud.delete: ** delete|rm|shutdown|reboot|rebuild|*-delete
hcloud
  cloud.delete: ** delete|remove|poweroff|shutdown|reset|rebuild|detach
scw
  cloud.delete: ** delete|terminate|remove|purge
vultr vultr-cli
  cloud.delete: ** delete|destroy
ibmcloud
  cloud.delete: ** delete|rm|*-delete|*-rm|destroy
oci
  cloud.delete: ** delete|terminate|bulk-delete|purge|stop
aliyun
  cloud.delete: ** Delete*|Release*|Stop*|rm
openstack
  cloud.delete: ** delete|purge|stop|rebuild|remove
flyctl fly
  cloud.delete: ** destroy|delete|suspend|unset|remove|rm|stop|revoke|detach; destroy; scale count 0; volumes ** destroy
  cloud.delete: restart
heroku
  cloud.delete: *:destroy|*:delete|*:remove|*:rm|*:unset|*:clear|*:rollback|*:kill|*:stop|pg:reset|pg:promote|*:reset|maintenance:on|*:transfer|apps:leave|*:revoke|*:unlink|releases:rollback|ps:scale|*:credentials:rotate|drains:remove
  cloud.delete: ** destroy|delete
  databases.restore: pg:backups:restore|pg:copy|pg:pull|pg:push|pg:killall
vercel
  cloud.delete: rm|remove|rollback; ** rm|remove|delete; env rm
  cloud.delete: domains|dns|certs|alias|secrets|project|projects|teams|blob|integration rm|remove|del
netlify
  cloud.delete: ** delete|*:delete|env:unset|unlink|sites:delete|blobs:delete; deploy --prod-if-unlocked
  cloud.overwrite: env:clone
railway
  cloud.delete: down|delete|unlink; ** delete|remove; volume delete
supabase
  cloud.delete: ** delete|remove|unset|destroy; projects delete; functions delete; storage rm; link --override
  databases.reset: db reset; stop --no-backup
firebase
  cloud.delete: *:delete|*:destroy|*:disable|hosting:disable|database:remove|functions:delete|apps:delete|*:remove
convex
  cloud.delete: ** delete|remove; import --replace
wrangler
  cloud.delete: delete; ** delete|rollback|purge|remove; rollback; *:* delete; secret delete
  databases.drop-data: d1 delete
cloudflared
  cloud.delete: ** delete|cleanup
fastly
  cloud.delete: ** delete|purge|deactivate|purge-all; purge; service-version|version activate|deactivate
  cloud.delete: service version activate
cf
  cloud.delete: delete|delete-*|d|purge-*|unbind-*|stop
dokku
  cloud.delete: *:destroy|*:unset|*:remove|*:stop|*:clear
apigeecli
  services.delete: ** delete|undeploy|clean
deck
  services.delete: reset; gateway reset; sync; gateway sync --select-tag|--force|--yes; sync --select-tag
`;
