/** Files that conventionally contain passwords, excluding templates for them. */
export const ENV_FILES = [
  ".env",
  ".env.*",
  "*.env",
  "!.env.{example,sample,template,dist,defaults,schema,test.example}",
  "!.env.*.{example,sample,template,dist,defaults}",
  "!*.{example,sample}.env",
];

/** Keys and credentials of well-known programs. */
export const KEY_FILES = [
  "id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}",
  "**/.ssh/*",
  "!**/.ssh/{config,known_hosts,known_hosts.old,authorized_keys,*.pub}",
  "!*{pub,public,-archive,.gpg}*.{pem,key}",
  "!*{cert,ca,chain,root,bundle}*.pem",
  "*{key,private}*.pem",
  "**/.aws/{credentials,config}",
  "**/.gnupg/**",
  "**/.kube/config",
  "**/.docker/config.json",
  "**/.config/{gcloud,gh,hub}/**",
  "**/.azure/**",
  "**/.workspace-hooks/config.json",
  ".{netrc,pgpass,my.cnf,pypirc,git-credentials,vault-token,htpasswd}",
  "~/.{npmrc,yarnrc}",
  "_netrc",
  "{credentials,service-account*,client_secret*,secrets,secret}.{json,yml,yaml,toml}",
  "terraform.tfstate{,.backup}",
  "/etc/{shadow,gshadow,sudoers}",
  "/proc/*/environ",
];
