/** Infrastructure as code, and what configures many machines. The format is described in `effect-tables.ts`. */
export const INFRASTRUCTURE_EFFECTS = `
terraform tofu terragrunt
  destroy: destroy; apply -destroy|--destroy; ** run-all|all destroy; stack destroy
  state-change: state mv -state|-state-out; taint; init -migrate-state
  state: state rm|push|replace-provider; workspace delete; force-unlock
  state: init -force-copy; apply -replace
  apply-unseen: apply -auto-approve|--auto-approve|--terragrunt-non-interactive
cdktf
  destroy: destroy
  apply-unseen: deploy --auto-approve
pulumi
  destroy: destroy|down|dn; stack rm|remove
  state: state delete|edit; stack import|change-secrets-provider
  state-change: cancel; import; state unprotect
  apply-unseen: up|update -y|--yes|-f|--skip-preview; refresh -y|--yes
cdk
  destroy: destroy|gc
  apply-unseen: deploy --require-approval=never; deploy --force
sam
  destroy: delete
serverless sls
  destroy: remove; rollback
sst
  destroy: remove
amplify
  destroy: delete; env|remove remove
copilot
  destroy: ** delete
eb
  destroy: terminate|abort; restore
packer
  apply-unseen: build -force|--force
nomad
  destroy: stop|purge; job stop; ** delete; system gc; node drain|purge
consul
  services.delete: ** delete|remove|force-leave; leave; kv delete; snapshot restore
boundary datadog-ci newrelic expo
  services.delete: ** delete
ansible
  run-everywhere: -m|--module-name=shell; -m|--module-name=command; -m|--module-name=raw
  run-everywhere: -m|--module-name=file; -m|--module-name=reboot; all -a|--args
  run-everywhere: -m|--module-name=*service; -m|--module-name=*user
ansible-playbook
  run-everywhere: !-C|--check|--syntax-check|--list-hosts|--list-tasks|-l|--limit !-c|--connection=local #1; -c|--connection=[!l]* #1
salt
  run-everywhere: ** cmd.run|state.apply|file.remove|service.stop|system.reboot
bolt
  run-everywhere: command run
`;
