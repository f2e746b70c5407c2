import type { EffectExamples } from "./machine-effect-examples.ts";

/** Examples of the rules about containers and clusters. */
export const CONTAINER_EFFECT_EXAMPLES: EffectExamples = {
  "containers.prune": {
    match: ["docker system prune -af", "docker network prune", "podman container prune -f"],
    pass: [
      "docker ps -a",
      "docker system df",
      "docker builder prune -f",
      "docker buildx prune",
      "docker image prune -f",
    ],
  },
  "containers.own-host": {
    match: [
      "docker run --rm --privileged nginx",
      "podman run -v /:/host alpine ls",
      "docker run --volume=/etc:/x alpine",
      "docker run --mount type=bind,source=/,target=/x a",
      "docker run --cap-add=ALL a",
      "docker run --privileged -v /:/host tonistiigi/binfmt",
      "docker run --privileged --entrypoint sh tonistiigi/binfmt",
      "docker run --privileged x tonistiigi/binfmt",
      "docker run --privileged x/tonistiigi/binfmt",
    ],
    pass: [
      'docker run -v "$PWD":/app node',
      "docker run -v /:/host:ro alpine",
      "docker run -v /etc/localtime:/a b",
      "docker run --privileged --rm tonistiigi/binfmt:latest --install all",
      "sudo docker run --rm --privileged multiarch/qemu-user-static --reset -p yes",
    ],
  },
  "containers.delete-volume": {
    match: [
      "docker volume rm data",
      "docker compose -f a.yml down -v",
      "docker system prune -af --volumes",
      "docker-compose down --volumes",
      "docker compose up -d -V",
      "docker-compose up --renew-anon-volumes",
    ],
    pass: [
      "docker compose down",
      "docker volume ls",
      "docker run -v data:/data app",
      "docker run --rm -v /home/user/project:/w -w /w alpine rm a",
    ],
  },
  "containers.delete-container": {
    match: ["docker rm -f web", "docker machine rm a"],
    pass: ["docker run --rm app", "docker logs web"],
  },
  "containers.delete-service": {
    match: ["docker stack rm app", "docker service rm web", "docker secret rm a", "docker swarm leave --force"],
    pass: ["docker stack deploy -c a.yml app", "docker service ls", "docker node ls", "docker swarm join h:2377"],
  },
  "containers.stop": {
    match: [
      "docker rm web",
      "docker kill web",
      "docker kill -s KILL web",
      "docker kill --signal=9 web",
      "docker stop $(docker ps -q)",
      "docker stop -t 5 $(docker ps -q) web",
      "docker stop $WEB",
      "podman stop -a",
      "podman stop web --all",
      "ssh h docker stop web",
      "docker -H ssh://h stop web",
      "docker --context prod stop web",
    ],
    pass: [
      "docker start web",
      "docker compose stop",
      "docker stop web db",
      "docker stop -t 5 web",
      "docker container stop --time=5 web",
      "docker kill -s HUP web",
    ],
  },
  "containers.delete-image": {
    match: ["docker rmi -f app", "docker image rm --force app", "docker image prune -a"],
    pass: ["docker rmi app", "docker images"],
  },

  "kubernetes.delete": {
    match: [
      "kubectl delete ns prod",
      "kubectl -n a --context b delete deployment x",
      "kubectl delete pods --all",
      "kubectl delete pod -l app=web",
      "kubectl delete pod x --force --grace-period=0",
      "kubectl delete po -A --field-selector status.phase=Failed",
      "kubectl delete pod/x svc/y",
      "kubectl delete -f pod.yaml",
      "kubectl delete pod",
      "kubectl drain node-1 --ignore-daemonsets",
      "k delete ns prod",
      "kubectl apply --force -f a.yaml",
      "eksctl delete cluster x",
    ],
    pass: [
      "kubectl get pods",
      "kubectl delete pod x --dry-run=client",
      "kubectl delete statefulset x --cascade=orphan",
      "argocd app delete x --cascade=false",
      "kubectl describe pod delete",
    ],
  },
  "kubernetes.interrupt": {
    match: [
      "kubectl cordon node-1",
      "kubectl scale deploy/x --replicas=0",
      "kubectl delete pod x",
      "kubectl -n a delete po x y",
      "kubectl delete pod/x --now",
      "kubectl delete job x",
      "argocd cluster rm https://h",
      "etcdctl member remove 2be1",
      "kubectl -n a delete serviceaccount x",
      "kubectl delete validatingwebhookconfigurations.admissionregistration.k8s.io x",
    ],
    pass: ["kubectl scale deploy/x --replicas=2", "kubectl uncordon node-1"],
  },
  "kubernetes.uninstall": {
    match: ["helm uninstall app", "helm -n x delete app"],
    pass: [
      "helm list",
      "helm upgrade app ./chart",
      "helm rollback app 1",
      "helm upgrade app a --reset-values",
      "helm repo remove charts",
    ],
  },
};
