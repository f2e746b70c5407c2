import { CONTAINER_EFFECT_EXAMPLES } from "./container-effect-examples.ts";
import { GIT_EFFECT_EXAMPLES } from "./git-effect-examples.ts";
import { type EffectExamples, MACHINE_EFFECT_EXAMPLES } from "./machine-effect-examples.ts";

/** Examples of every rule. */
export const EFFECT_EXAMPLES: EffectExamples = {
  ...GIT_EFFECT_EXAMPLES,
  ...MACHINE_EFFECT_EXAMPLES,
  ...CONTAINER_EFFECT_EXAMPLES,

  "infrastructure.destroy": {
    match: [
      "terraform destroy -auto-approve",
      "tofu -chdir=a destroy",
      "terraform apply -destroy",
      "pulumi destroy --yes",
      "cdk destroy",
    ],
    pass: ["terraform plan", "terraform plan -destroy", "terraform apply", "pulumi preview", "pulumi destroy -h"],
  },
  "infrastructure.apply-unseen": {
    match: ["terraform apply -auto-approve", "pulumi up --yes"],
    pass: ["terraform apply plan.out", "pulumi up"],
  },
  "infrastructure.state": {
    match: ["terraform state rm a.b", "terraform workspace delete x"],
    pass: ["terraform state list", "terraform workspace list"],
  },
  "infrastructure.state-change": {
    match: [
      "terraform taint a.b",
      "terraform state mv -state-out=b.tfstate a.b a.c",
      "pulumi import a b c",
      "pulumi state unprotect x",
      "pulumi cancel",
    ],
    pass: ["terraform state show a.b", "terraform state mv a.b a.c", "terraform untaint a.b", "pulumi stack ls"],
  },
  "infrastructure.run-everywhere": {
    match: [
      "ansible all -m shell -a 'reboot'",
      "ansible-playbook site.yml",
      "ansible-playbook -c local -c ssh site.yml",
    ],
    pass: ["ansible-playbook --check site.yml", "ansible-playbook -c local site.yml", "ansible --version"],
  },

  "cloud.delete": {
    match: [
      "aws ec2 terminate-instances --instance-ids i-1",
      "aws --profile p rds delete-db-instance --db-instance-identifier x",
      "gcloud compute instances delete x",
      "az group delete -n x --yes",
      "doctl compute droplet delete 1",
      "doctl compute droplet d 1",
      "doctl d d 1",
      "fly apps destroy x",
      "heroku pg:reset",
    ],
    pass: [
      "aws ec2 describe-instances",
      "gcloud compute instances list",
      "az group list",
      "fly status",
      "heroku logs",
      "doctl d db ls 1",
      "doctl compute d c a",
    ],
  },
  "cloud.storage": {
    match: ["aws s3 rm s3://b --recursive", "aws s3 sync a s3://b --delete", "gsutil -m rm -r gs://b", "mc rb x/b"],
    pass: ["aws s3 ls", "aws s3 cp a s3://b", "aws s3 rm s3://b/k --dryrun", "aws s3 rm help", "gsutil ls"],
  },
  "cloud.interrupt": {
    match: [
      "az vm deallocate -n a",
      "aws ec2 stop-instances --instance-ids i",
      "gcloud compute instances stop a",
      "heroku maintenance:on",
    ],
    pass: ["az vm start -n a", "aws ec2 start-instances --instance-ids i", "heroku ps"],
  },
  "cloud.overwrite": {
    match: [
      "aws secretsmanager put-secret-value --secret-id x --secret-string y",
      "aws route53 change-resource-record-sets --hosted-zone-id Z",
      "aws iam attach-group-policy --group-name a --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
      'aws iam attach-role-policy --role-name a --policy-arn "$POLICY"',
      "aws s3api put-bucket-versioning --bucket a --versioning-configuration Status=Suspended",
    ],
    pass: [
      "aws secretsmanager list-secrets",
      "aws s3 cp release-notes.txt s3://a/release-notes.txt",
      "aws iam attach-role-policy --role-name a --policy-arn arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess",
      "aws s3api put-bucket-versioning --bucket a --versioning-configuration Status=Enabled",
    ],
  },

  "databases.drop-data": {
    match: [
      "DROP DATABASE app",
      "FLUSHALL",
      "psql -c 'drop table users'",
      'mysql -e "TRUNCATE TABLE a"',
      "echo 'DROP SCHEMA x CASCADE' | psql",
      "psql <<EOF\nDROP TABLE a;\nEOF",
      "docker exec db psql -U x -c 'DROP DATABASE app'",
      "dropdb app",
      "mongosh --eval 'db.dropDatabase()'",
      "redis-cli -h x FLUSHALL",
      "redis-cli EVAL \"redis.call('FLUSHALL')\" 0",
      "sqlite3 a.db 'DROP TABLE a'",
      "psql < drop.sql",
      "docker exec -i db psql -U x < sql/drop.sql",
      "psql -f drop.sql",
      "cat drop.sql | mysql app",
      "psql -c '\\i drop.sql'",
    ],
    pass: [
      "psql -c 'select 1'",
      "psql -c \"insert into a values ('drop table x')\"",
      "redis-cli get k",
      "psql < create.sql",
      "cat drop.sql",
      "echo 'DROP DATABASE app'",
      "grep -r 'DROP TABLE' migrations",
      "mongosh --eval 'db.a.find()'",
    ],
  },
  "databases.delete-all-rows": {
    match: [
      "psql -c 'DELETE FROM users'",
      "psql -c 'delete from users where 1 = 1;'",
      "mysql -e 'update users set a = 1'",
    ],
    pass: ["psql -c 'delete from users where id = 1'", "mysql -e 'update users set a = 1 where id = 2'"],
  },
  "databases.delete-keys": {
    match: ["redis-cli del a", "redis-cli -h x UNLINK a b"],
    pass: ["redis-cli get a", "redis-cli --scan"],
  },
  "databases.drop-column": {
    match: ["psql -c 'alter table a drop column b'"],
    pass: ["psql -c 'alter table a add column b int'"],
  },
  "databases.rights": { match: ["psql -c 'grant all on a to b'"], pass: ["psql -c 'grant select on a to b'"] },
  "databases.reset": {
    match: [
      "npx prisma migrate reset --force",
      "bin/rails db:drop",
      "php artisan migrate:fresh",
      "python manage.py flush",
      "supabase db reset",
      "typeorm migration:revert -d a",
    ],
    pass: [
      "typeorm migration:revert --fake",
      "npx prisma migrate dev",
      "bin/rails db:migrate",
      "php artisan migrate",
      "python manage.py migrate",
    ],
  },
  "databases.restore": {
    match: ["pg_restore --clean -d app a.dump", "mongorestore --drop a"],
    pass: ["pg_restore -l a.dump", "pg_dump app"],
  },

  "packages.publish": {
    match: ["npm publish", "pnpm -r publish", "cargo publish", "twine upload dist/x", "./gradlew :a:publish"],
    pass: [
      "./gradlew publishToMavenLocal",
      "npm publish --dry-run",
      "npm pack",
      "npm run publish-docs",
      "cargo build",
      "goreleaser release --clean --split",
      "goreleaser release --skip=validate,publish",
    ],
  },
  "packages.deprecate": { match: ["npm deprecate a@1 b"], pass: ["npm view a deprecated"] },
  "packages.unpublish": {
    match: ["npm unpublish a@1", "cargo yank --version 1.0.0", "gem yank a"],
    pass: ["npm view a", "cargo search a", "cargo yank --version 1.0.0 --undo a"],
  },
  "packages.uninstall": {
    match: ["apt-get remove nginx", "pip uninstall -y a", "brew uninstall a", "npm rm -g a"],
    pass: ["apt-get install nginx", "pip install a", "npm install"],
  },
  "packages.remove": { match: ["poetry remove a", "uv remove a"], pass: ["poetry add a", "uv add a"] },

  "code.run-input": {
    match: [
      "cat a | xargs bash -c",
      "cat a | parallel sh -c {}",
      "history | sh",
      "history|tail -n 3 | sudo bash -s",
      "./generate | ssh host sh",
    ],
    pass: ["cat a | xargs -n1 echo", "ls | xargs bash -c 'echo $0'", "cat a.sh | sh", "echo ls | sh", "sh a.sh | tail"],
  },
  "code.beyond-limits": {
    match: [`${"nice ".repeat(20)}ls`, `${"ls; ".repeat(2_000)}ls`, `echo ${"a".repeat(300_000)}`],
    pass: [`${"nice ".repeat(5)}ls`, `${"ls; ".repeat(200)}ls`, `echo ${"a".repeat(50_000)}`],
  },

  "services.delete": {
    match: [
      "gh repo delete a/b --yes",
      "gh -R a/b release delete v1",
      "echo 'delete x' | nsupdate",
      "stripe customers delete c",
    ],
    pass: [
      "gh cache delete --all",
      "gh actions-cache delete a --confirm",
      "gh pr list",
      "gh repo view a/b",
      "gh pr create --title 'delete x'",
    ],
  },
  "services.http-delete": {
    match: [
      "curl -X DELETE https://h/x",
      "curl -XDELETE https://h/x",
      "http DELETE h/x",
      "curl -d '' -H 'X-HTTP-Method-Override: DELETE' https://h/x",
      "python3 -c 'import requests; requests.delete(\"https://h/x\")'",
      'node -e \'fetch("https://h/x", { method: "DELETE" })\'',
      "gh api -X DELETE /repos/a/b",
      "curl -X POST h:9200/i/_delete_by_query -d '{}'",
    ],
    pass: ["curl https://h/deleted", "curl -X POST h/items -d '{}'"],
  },
  "services.queue": {
    match: [
      "kafka-topics.sh --bootstrap-server h --delete --topic t",
      "rabbitmqctl delete_queue q",
      "nats stream purge S",
    ],
    pass: ["kafka-topics.sh --list", "rabbitmqctl status", "rabbitmqctl list_queues"],
  },
  "services.interrupt": {
    match: [
      "gh repo edit a/b --visibility private",
      "gh repo rename b",
      "echo 'disable server a/b' | socat stdio /run/h.sock",
      "rabbitmqctl stop_app",
    ],
    pass: ["gh repo edit a/b --description x"],
  },

  "backups.delete": {
    match: [
      "restic -r a forget --prune",
      "borg delete a::b",
      "velero backup delete x",
      "rclone purge r:x",
      "rclone sync a r:b",
      "yes | rclone sync -i a r:b",
      "rclone sync a r:b --exclude -i",
      "rclone sync -i --auto-confirm a r:b",
      "rclone sync -i a r:b < answers",
      "rclone sync -i a r:b <<< y",
      "rclone dedupe r:b",
      "rclone dedupe newest r:b",
      "rclone dedupe --dedupe-mode largest r:b",
      "rclone dedupe --dedupe-mode=rename --dedupe-mode=first r:b",
      "rclone -v dedupe --dedupe-mode interactive r:b",
    ],
    pass: [
      "restic snapshots",
      "borg list",
      "rclone ls r:",
      "rclone copy a r:b",
      "rclone sync --interactive a r:b",
      "rclone dedupe --dedupe-mode rename r:b",
      "rclone dedupe rename r:b",
      "rclone dedupe skip r:b",
    ],
  },
  "credentials.delete": {
    match: ["vault kv delete secret/a", "ssh-add -D", "op item delete x", "gpg --delete-secret-keys x"],
    pass: ["vault kv get secret/a", "ssh-add -l", "gpg --list-keys"],
  },
};
