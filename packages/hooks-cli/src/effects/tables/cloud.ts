/** Cloud providers and platforms. The format is described in `effect-tables.ts`. */
export const CLOUD_EFFECTS = `
aws
  storage: s3 rm|rb; s3 sync --delete; s3 mv --recursive
  storage: s3api delete-*|put-bucket-policy|put-bucket-versioning|put-bucket-lifecycle*; s3control delete-*
  delete: * delete-*|batch-delete-*|terminate-*|remove-*|purge-*|deregister-*|disassociate-*|detach-*|destroy-*|revoke-*|unsubscribe|stop-*|disable-*|schedule-key-deletion|cancel-*|release-*|reset-*|delete
  delete: cloudformation cancel-update-stack
  overwrite: secretsmanager put-secret-value|update-secret|rotate-secret|remove-*; ssm put-parameter --overwrite
  overwrite: route53 change-resource-record-sets; cloudfront create-invalidation
  overwrite: iam put-*|attach-*|create-access-key|update-*
  overwrite: ec2 modify-*|reboot-instances|authorize-security-group-*; rds modify-*|reboot-*|restore-*
  overwrite: kms disable-*|put-key-policy; dynamodb restore-*; apigateway update-*; elbv2 modify-*
  overwrite: autoscaling set-desired-capacity --desired-capacity=0; ecs update-service --desired-count=0
  databases.drop-data: rds-data execute-statement --sql=*drop*
gcloud
  storage: storage ** rm|delete; storage rsync --delete-unmatched-destination-objects
  delete: ** delete|undeploy|destroy|remove-*|disable|stop|reset|purge|abandon-*|revoke|delete-*|untag|suspend|failover|detach-*
  overwrite: ** set-iam-policy|restore|rollback|set-machine-type; app versions migrate
gsutil
  storage: rm|rb; rsync -d; mv; ** iam set; acl set; lifecycle set; versioning set; defacl set
bq
  databases.drop-data: rm; query --replace; load --replace
az
  storage: storage ** delete|delete-batch|remove|purge; storage blob sync --delete-destination
  delete: ** delete|purge|untag|remove|stop|deallocate|disable|deregister|delete-batch|delete-*|remove-*|cancel|detach|clear|uninstall|revoke|stop-*|restart|redeploy|failover
  overwrite: keyvault secret set
  overwrite: ** restore|reimage|reset|regenerate|regenerate-key*|renew; deployment ** create --mode=complete
azcopy
  storage: remove|rm; sync --delete-destination=true; sync --delete-destination
doctl
  delete: ** delete|rm|d|destroy|remove|power-off|shutdown|detach|reboot|rebuild|restore
linode-cli
  delete: ** delete|rm|shutdown|reboot|rebuild|*-delete
hcloud
  delete: ** delete|remove|poweroff|shutdown|reset|rebuild|detach
scw
  delete: ** delete|terminate|remove|purge
vultr vultr-cli
  delete: ** delete|destroy
ibmcloud
  delete: ** delete|rm|*-delete|*-rm|destroy
oci
  delete: ** delete|terminate|bulk-delete|purge|stop
aliyun
  delete: ** Delete*|Release*|Stop*|rm
openstack
  delete: ** delete|purge|stop|rebuild|remove
flyctl fly
  delete: ** destroy|delete|suspend|unset|remove|rm|stop|revoke|detach; destroy; scale count 0; volumes ** destroy
  delete: restart
heroku
  delete: *:destroy|*:delete|*:remove|*:rm|*:unset|*:clear|*:rollback|*:kill|*:stop|pg:reset|pg:promote|*:reset|maintenance:on|*:transfer|apps:leave|*:revoke|*:unlink|releases:rollback|ps:scale|*:credentials:rotate|drains:remove
  delete: ** destroy|delete
  databases.restore: pg:backups:restore|pg:copy|pg:pull|pg:push|pg:killall
vercel
  delete: rm|remove|rollback; ** rm|remove|delete; env rm
  delete: domains|dns|certs|alias|secrets|project|projects|teams|blob|integration rm|remove|del
netlify
  delete: ** delete|*:delete|env:unset|unlink|sites:delete|blobs:delete; deploy --prod-if-unlocked
  overwrite: env:clone
railway
  delete: down|delete|unlink; ** delete|remove; volume delete
supabase
  delete: ** delete|remove|unset|destroy; projects delete; functions delete; storage rm; link --override
  databases.reset: db reset; stop --no-backup
firebase
  delete: *:delete|*:destroy|*:disable|hosting:disable|database:remove|functions:delete|apps:delete|*:remove
convex
  delete: ** delete|remove; import --replace
wrangler
  delete: delete; ** delete|rollback|purge|remove; rollback; *:* delete; secret delete
  databases.drop-data: d1 delete
cloudflared
  delete: ** delete|cleanup
fastly
  delete: ** delete|purge|deactivate|purge-all; purge; service-version|version activate|deactivate
  delete: service version activate
cf
  delete: delete|delete-*|d|purge-*|unbind-*|stop
dokku
  delete: *:destroy|*:unset|*:remove|*:stop|*:clear
apigeecli
  services.delete: ** delete|undeploy|clean
deck
  services.delete: reset; gateway reset; sync; gateway sync --select-tag|--force|--yes; sync --select-tag
`;
