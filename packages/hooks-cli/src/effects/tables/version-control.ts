/** Version control and its hosts. The format is described in `effect-tables.ts`. */
export const VERSION_CONTROL_EFFECTS = `
git
  discard-changes: reset --hard|--merge|--keep; switch -f|--force|--discard-changes; checkout -f|--force
  discard-changes: restore !-S|--staged; restore -S|--staged -W|--worktree; checkout-index -f|--force
  discard-changes: read-tree --reset -u; merge|rebase|cherry-pick|revert|am --abort
  discard-changes: rm -f|--force; submodule deinit -f|--force; submodule update -f|--force
  delete-ignored: clean -f|--force -x|-X !-n|--dry-run
  delete-untracked: clean -f|--force !-n|--dry-run
  drop-stash: stash drop|clear
  delete-branch: branch -D; branch -d|--delete -f|--force; branch -f|--force; branch -M; branch -C
  delete-branch: update-ref -d|--delete; symbolic-ref -d|--delete; checkout -B -f; switch -C -f
  delete-worktree: worktree remove -f|--force
  delete-remote: push -d|--delete; push --prune
  force-push: push -f|--force|--mirror !--force-with-lease; send-pack --force|--mirror
  push-main: push ** main|master|*:main|*:master|trunk|*:trunk; push main|master
  rewrite-history: filter-branch; filter-repo; replace -f|--force; fast-import --force
  delete-recovery: reflog expire|delete; gc --prune={now,all}; prune
  delete-recovery: lfs prune; maintenance run --prune=now; repack -A -d
git-filter-repo bfg
  rewrite-history: **
gh
  services.delete: ** delete|delete-asset|archive|remove|rm; secret|variable delete|remove; secret|variable set --delete
  services.delete: workflow|codespace|cs disable|delete
  services.http-delete: api -X|--method=DELETE
  services.interrupt: repo edit --visibility; repo rename
glab
  services.delete: ** delete|archive|remove
  services.http-delete: api -X|--method=DELETE
gitlab-runner
  services.interrupt: unregister|stop|uninstall
gitlab-rake
  databases.restore: gitlab:backup:restore
circleci
  services.delete: ** delete|remove-secret|delete-*
jenkins-cli
  services.delete: ** delete-*|remove-*|quiet-down|restart|shutdown
`;
