/** Package managers and registries. The format is described in `effect-tables.ts`. */
export const PACKAGES_EFFECTS = `
npm
  packages.publish: publish !--dry-run
  packages.unpublish: unpublish|deprecate; dist-tag rm; owner rm; access revoke; token revoke|delete; team destroy|rm
  packages.unpublish: org rm
  packages.uninstall: uninstall|remove|rm|un|r|unlink -g|--global
pnpm
  packages.publish: publish; -r|--recursive publish
  packages.unpublish: unpublish|deprecate
  packages.uninstall: remove|rm|uninstall|un -g|--global
yarn
  packages.publish: publish; npm publish
  packages.unpublish: npm tag remove; tag|owner remove
  packages.uninstall: global remove
bun
  packages.publish: publish
  packages.uninstall: remove|rm -g|--global
lerna changeset flit hatch ovsx
  packages.publish: publish
semantic-release
  packages.publish: !-d|--dry-run **
cargo
  packages.publish: publish; release -x|--execute
  packages.unpublish: yank; owner --remove|-r
  packages.uninstall: uninstall
gem
  packages.publish: push
  packages.unpublish: yank; owner -r|--remove
  packages.uninstall: uninstall|cleanup
twine
  packages.publish: upload
pdm poetry
  packages.publish: publish
  packages.remove: remove
uv
  packages.publish: publish
  packages.uninstall: pip uninstall; tool|python uninstall
  packages.remove: remove
pipx
  packages.uninstall: uninstall|uninstall-all
pip pip3 port choco winget
  packages.uninstall: uninstall
conda mamba
  packages.uninstall: remove|uninstall; env remove; clean -a|--all
mvn mvnw
  packages.publish: ** deploy|deploy:*|release:*
gradle gradlew
  packages.publish: ** publish|publish*To*Repository|publish*ToMavenCentral|publishToSonatype|*:publish|uploadArchives|closeAndRelease*
sbt
  packages.publish: ** publish|publishSigned
dotnet
  packages.publish: nuget push
  packages.unpublish: nuget delete
  databases.reset: ef database drop
nuget
  packages.publish: push
  packages.unpublish: delete
goreleaser
  packages.publish: release !--snapshot|--skip-publish|--split !--skip=*publish*
vsce
  packages.publish: publish
  packages.unpublish: unpublish
pod
  packages.publish: trunk push
  packages.unpublish: trunk delete|deprecate
apt apt-get aptitude
  packages.uninstall: remove|purge|autoremove|autopurge|dist-upgrade|full-upgrade
dpkg
  packages.uninstall: -r|-P|--remove|--purge; --force-*
yum dnf microdnf
  packages.uninstall: remove|erase|autoremove|history undo|downgrade
rpm
  packages.uninstall: -e|--erase|--nodeps
zypper
  packages.uninstall: remove|rm
pacman
  packages.uninstall: -R|-Rs|-Rns|-Rdd|-Rsc|--remove
apk
  packages.uninstall: del
emerge
  packages.uninstall: -C|--unmerge|-c|--depclean
brew
  packages.uninstall: uninstall|remove|rm|autoremove|cleanup; untap
  processes.stop-service: services stop
snap
  packages.uninstall: remove|revert
flatpak
  packages.uninstall: uninstall|remove
nix-env
  packages.uninstall: -e|--uninstall|--delete-generations
nix-collect-garbage
  packages.uninstall: -d|--delete-old|--delete-older-than
nix-store
  packages.uninstall: --gc|--delete
composer
  packages.uninstall: global remove
`;
