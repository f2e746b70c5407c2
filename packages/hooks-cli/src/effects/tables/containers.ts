/** Containers and clusters. The format is described in `effect-tables.ts`. */
export const CONTAINERS_EFFECTS = `
docker nerdctl
  containers.own-host: ** --privileged; run|create --cap-add=all
  containers.delete-volume: volume rm|remove|prune; ** down -v|--volumes; compose up -V|--renew-anon-volumes; rm -v|--volumes; container|compose rm -v|--volumes; ** prune --volumes
  containers.prune: system|container|network|pod prune
  containers.delete-container: rm -f|--force; container rm -f|--force
  containers.stop: rm|stop; container rm|stop|kill; kill !-s|--signal; kill -s|--signal={*KILL,*TERM,*INT,*QUIT,*ABRT,[0-9]*}
  containers.delete-service: stack|service|node|config|secret rm|remove; swarm leave
  containers.delete-container: machine rm
  containers.delete-image: rmi -f|--force; image|images rm|remove -f|--force; image prune -a|--all
  containers.delete-image: manifest rm; down --rmi
docker-compose podman-compose
  containers.delete-volume: down -v|--volumes; rm -v; up -V|--renew-anon-volumes
  containers.delete-container: rm -f|--force
podman
  =docker
  containers.delete-container: pod rm|kill|stop; system reset; machine rm|reset; ** kube down; secret rm; rm -a|--all
  containers.delete-image: rmi -a|--all
ctr
  containers.delete-container: ** rm|delete|remove|kill
crictl
  containers.delete-container: rm|rmp|rmi|stop|stopp
lxc incus
  containers.delete-container: ** delete|stop
vagrant
  destroy: destroy; box remove; snapshot delete
multipass
  destroy: delete|purge
virsh
  destroy: destroy|undefine|vol-delete|pool-delete|snapshot-delete|net-destroy|pool-destroy|vol-wipe
VBoxManage
  destroy: unregistervm --delete; closemedium --delete; snapshot ** delete
colima
  containers.delete-container: delete
kubectl k
  kubernetes.delete: delete !--cascade=orphan; replace|apply --force; apply --prune; drain|evict
  kubernetes.interrupt: cordon; scale --replicas=0
oc
  =kubectl
  kubernetes.delete: ** prune; adm prune
kustomize
  kubernetes.delete: ** delete
helm
  kubernetes.uninstall: uninstall|delete|del|un; upgrade --force|--cleanup-on-fail
  kubernetes.uninstall: plugin uninstall
helmfile
  kubernetes.uninstall: destroy|delete; apply|sync --force
flux
  kubernetes.delete: delete|uninstall
argocd
  kubernetes.delete: app|appset|proj delete|rm|remove|terminate-op !--cascade=false; app sync --prune|--force; app rollback
  kubernetes.interrupt: cluster|repo delete|rm|remove
istioctl
  kubernetes.uninstall: uninstall|x uninstall
linkerd
  kubernetes.uninstall: uninstall
kubeadm
  kubernetes.delete: reset
kops
  kubernetes.delete: delete; ** --yes delete
eksctl
  kubernetes.delete: delete|drain
velero
  backups.delete: ** delete; uninstall
etcdctl
  kubernetes.delete: del --prefix|--from-key; snapshot restore
  kubernetes.interrupt: member remove
`;
