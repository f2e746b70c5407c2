/** Package managers and registries. The format is described in `effect-tables.ts`. */
export const PACKAGES_EFFECTS = `
npm
  publish: publish !--registry=http://localhost**
  deprecate: deprecate
  unpublish: unpublish; dist-tag rm; owner rm; access revoke; token revoke|delete; team destroy|rm
  unpublish: org rm
  uninstall: uninstall|remove|rm|un|r|unlink -g|--global
pnpm
  publish: publish; -r|--recursive publish
  deprecate: deprecate
  unpublish: unpublish
  uninstall: remove|rm|uninstall|un -g|--global
yarn
  publish: publish; npm publish
  unpublish: npm tag remove; tag|owner remove
  uninstall: global remove
bun
  publish: publish
  uninstall: remove|rm -g|--global
lerna changeset flit hatch ovsx
  publish: publish
semantic-release
  publish: !-d|--dry-run **
cargo
  publish: publish; release -x|--execute
  unpublish: yank !--undo; owner --remove|-r
  uninstall: uninstall
gem
  publish: push
  unpublish: yank; owner -r|--remove
  uninstall: uninstall|cleanup
twine
  publish: upload
pdm poetry
  publish: publish
  remove: remove
uv
  publish: publish
  uninstall: pip uninstall; tool|python uninstall
  remove: remove
pipx
  uninstall: uninstall|uninstall-all
pip pip3 port choco winget
  uninstall: uninstall
conda mamba
  uninstall: remove|uninstall; env remove; clean -a|--all
mvn mvnw
  publish: ** deploy|deploy:*|release:*
gradle gradlew
  publish: ** publish|publish*To*Repository|publish*ToMavenCentral|publishToSonatype|*:publish|uploadArchives|closeAndRelease*
sbt
  publish: ** publish|publishSigned
dotnet
  publish: nuget push
  unpublish: nuget delete
  databases.reset: ef database drop
nuget
  publish: push
  unpublish: delete
goreleaser
  publish: release !--snapshot|--skip-publish|--split !--skip=*publish*
vsce
  publish: publish
  unpublish: unpublish
pod
  publish: trunk push
  unpublish: trunk delete|deprecate
apt apt-get aptitude
  uninstall: remove|purge|autoremove|autopurge|dist-upgrade|full-upgrade
dpkg
  uninstall: -r|-P|--remove|--purge; --force-*
yum dnf microdnf
  uninstall: remove|erase|autoremove|history undo|downgrade
rpm
  uninstall: -e|--erase|--nodeps
zypper
  uninstall: remove|rm
pacman
  uninstall: -R|-Rs|-Rns|-Rdd|-Rsc|--remove
apk
  uninstall: del
emerge
  uninstall: -C|--unmerge|-c|--depclean
brew
  uninstall: uninstall|remove|rm|autoremove|cleanup; untap
  processes.stop-service: services stop
snap
  uninstall: remove|revert
flatpak
  uninstall: uninstall|remove
nix-env
  uninstall: -e|--uninstall|--delete-generations
nix-collect-garbage
  uninstall: -d|--delete-old|--delete-older-than
nix-store
  uninstall: --gc|--delete
composer
  uninstall: global remove
`;
