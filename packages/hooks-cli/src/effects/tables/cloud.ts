import { UNKNOWN } from "../../shell/unknown.ts";

/** Cloud providers and platforms. The format is described in `effect-tables.ts`. */
export const CLOUD_EFFECTS = `
aws
  storage: s3 rm|rb; s3 sync --delete
  overwrite: s3 mv --recursive
  storage: s3api delete-*|put-bucket-lifecycle*; s3control delete-*
  delete: * delete-*|batch-delete-*|terminate-*|remove-*|purge-*|deregister-*|disassociate-*|detach-*|destroy-*|revoke-*|unsubscribe|schedule-key-deletion|cancel-*|release-*|reset-*|delete
  interrupt: * stop-*|disable-*
  overwrite: secretsmanager put-secret-value|update-secret|rotate-secret|remove-*; ssm put-parameter --overwrite
  overwrite: route53 change-resource-record-sets; cloudfront create-invalidation
  overwrite: s3api put-bucket-policy; s3api put-bucket-versioning !--versioning-configuration=Status=Enabled
  overwrite: iam put-*|create-access-key|update-*; iam attach-* --policy-arn=**{Administrator,PowerUser,IAMFull,${UNKNOWN}}**
  overwrite: ec2 modify-*|reboot-instances|authorize-security-group-*; rds modify-*|reboot-*|restore-*
  overwrite: kms disable-*|put-key-policy; dynamodb restore-*; apigateway update-*; elbv2 modify-*
  overwrite: autoscaling set-desired-capacity --desired-capacity=0; ecs update-service --desired-count=0
  databases.drop-data: rds-data execute-statement --sql=*drop*
gcloud
  storage: storage ** rm|delete; storage rsync --delete-unmatched-destination-objects
  delete: ** delete|undeploy|destroy|remove-*|purge|abandon-*|revoke|delete-*|untag|detach-*
  interrupt: ** disable|stop|reset|suspend|failover
  overwrite: ** set-iam-policy|restore|rollback|set-machine-type; app versions migrate
gsutil
  storage: rm|rb; rsync -d; lifecycle set
  overwrite: mv; ** iam set; acl set; versioning set; defacl set
bq
  databases.drop-data: rm; query --replace; load --replace
az
  storage: storage ** delete|delete-batch|remove|purge; storage blob sync --delete-destination
  delete: ** delete|purge|untag|remove|deregister|delete-batch|delete-*|remove-*|cancel|detach|clear|uninstall|revoke
  interrupt: ** stop|deallocate|disable|stop-*|restart|redeploy|failover
  overwrite: keyvault secret set
  overwrite: ** restore|reimage|reset|regenerate|regenerate-key*|renew; deployment ** create --mode=complete
azcopy
  storage: remove|rm; sync --delete-destination
doctl
  delete: ** delete|rm|destroy|remove|detach|rebuild|restore; * * d; a|app|apps|p|projects|vpcs|registry|d|db|databases d
  interrupt: ** power-off|shutdown|reboot
linode-cli
  delete: ** delete|rm|rebuild|*-delete
  interrupt: ** shutdown|reboot
hcloud
  delete: ** delete|remove|rebuild|detach
  interrupt: ** poweroff|shutdown|reset
scw
  delete: ** delete|terminate|remove|purge
vultr vultr-cli
  delete: ** delete|destroy
ibmcloud
  delete: ** delete|rm|*-delete|*-rm|destroy
oci
  delete: ** delete|terminate|bulk-delete|purge
  interrupt: ** stop
aliyun
  delete: ** Delete*|Release*|rm
  interrupt: ** Stop*
openstack
  delete: ** delete|purge|rebuild|remove
  interrupt: ** stop
flyctl fly
  delete: ** destroy|delete|unset|remove|rm|revoke|detach
  interrupt: ** suspend|stop; scale count 0; restart
heroku
  delete: *:destroy|*:delete|*:remove|*:rm|*:unset|*:clear|*:rollback|pg:promote|*:reset|*:transfer|apps:leave|*:revoke|*:unlink|*:credentials:rotate
  interrupt: *:kill|*:stop|maintenance:on|ps:scale
  delete: ** destroy|delete
  databases.restore: pg:backups:restore|pg:copy|pg:pull|pg:push|pg:killall
vercel
  delete: rollback; ** rm|remove|delete|del
netlify
  delete: ** delete|*:delete|env:unset|unlink; deploy --prod-if-unlocked
  overwrite: env:clone
railway
  delete: down|unlink; ** delete|remove
supabase
  delete: ** delete|remove|unset|destroy; storage rm; link --override
  databases.reset: db reset; stop --no-backup
firebase
  delete: *:delete|*:destroy|*:disable|*:remove
convex
  delete: ** delete|remove; import --replace
wrangler
  delete: ** delete|rollback|purge|remove
  databases.drop-data: d1 delete
cloudflared
  delete: ** delete|cleanup
fastly
  delete: ** delete|purge|deactivate|purge-all; service-version|version activate; service version activate
cf
  delete: delete|delete-*|d|purge-*|unbind-*
  interrupt: stop
dokku
  delete: *:destroy|*:unset|*:remove|*:clear
  interrupt: *:stop
apigeecli
  services.delete: ** delete|undeploy|clean
deck
  services.delete: reset; gateway reset; sync; gateway sync --select-tag|--force|--yes; sync --select-tag
`;
