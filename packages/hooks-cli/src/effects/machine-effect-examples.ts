/** Commands by rule: what it must find, and what comes close and must pass every rule that is not listed for it. */
export type EffectExamples = Readonly<
  Record<string, { readonly match: readonly string[]; readonly pass: readonly string[] }>
>;

/** Examples of the rules about what is on the machine: files, disks, rights and processes. */
export const MACHINE_EFFECT_EXAMPLES: EffectExamples = {
  "files.overwrite": {
    match: [
      "echo a > ~/.bashrc",
      "sort a >| /etc/hosts",
      "echo a | sudo tee /etc/hosts",
      "sudo sh -c 'cat a > /etc/fstab'",
      "cp -a a ~/.npmrc",
      "mv a ~/.npmrc",
      "dd if=a of=/etc/passwd",
      "restore -rf a.dump",
      "tar -xzf a.tgz -C / --overwrite",
      "tar -C / -xf a.tar",
      "cd / && tar xf a.tar",
      "unzip -o a.zip -d /etc",
      "cp -r etc/. /etc",
      "rsync -a home/ ~/",
    ],
    pass: [
      "tar -C /usr/local -xzf go.tgz",
      "tar -xkf a.tar -C /",
      "tar -tf a.tar",
      "cp -r fonts ~/",
      "echo a > b",
      "echo a > /tmp/b",
      "echo a > /dev/null",
      "echo a >> ~/.bashrc",
      "echo a | tee -a ~/.bashrc",
      "cp -n a ~/.npmrc",
      "echo a > ~/.config/new/file",
      "cat < ~/.bashrc",
    ],
  },
  "files.delete": {
    match: [
      "rm -rf src",
      "rm -r -f ./build",
      "find . -name '*.ts' -delete",
      "cd sub && rm --recursive x",
      "ls | xargs -I{} rm -rf ./{}",
    ],
    pass: ["rm a.txt", "rm -rf /tmp/scratch", "rmdir empty", "ls -R src"],
  },
  "files.delete-unseen": {
    match: [
      "git ls-files | xargs rm",
      "git ls-files -z | xargs -0 rm -f",
      "git ls-files . | grep -v keep | head -500 | xargs rm",
      "git diff --name-only main | xargs rm -f",
      "rm -f $(git ls-files)",
      "rm $(cat list.txt)",
      "for f in $(git ls-files); do rm -f $f; done",
      'for f in *; do rm -rf "$f"; done',
      'git ls-files | while read -r f; do rm "$f"; done',
      "find . -type f | xargs rm -f",
      "find . -type f -print0 | xargs -0 rm",
      "find . -type f -exec rm {} +",
      "find . -mtime +1 -exec sh -c 'rm -f \"$1\"' _ {} \\;",
      "find . -type f -delete",
      "find . -mindepth 1 -delete",
      "find . -not -name '*.keep' -delete",
      "find . ! -path './.git/*' -type f -delete",
      "find . -path ./keep -prune -o -type f -delete",
      "find . -name '*.log' -o -type f -delete",
      "fd . -x rm",
      "ls | xargs rm",
      "xargs rm < list.txt",
      "ls | parallel rm",
      'rm -rf "./$BUILD_DIR"',
      "powershell -Command 'Get-ChildItem -Recurse | Remove-Item -Force'",
    ],
    pass: [
      'rm -f "$tmpfile"',
      'rm -f "$(cat pidfile)"',
      "find . -type d -empty -delete",
      "find . -type d -empty | xargs rmdir",
      "mv $(cat list.txt) src",
      "git ls-files | xargs wc -l",
      "rm -f $(ls *.log)",
      "find /tmp/x -type f -delete",
    ],
  },
  "files.shred": { match: ["shred -u a.txt"], pass: ["shred --help"] },
  "files.mirror-delete": {
    match: ["rsync -a --delete a/ b/", "rsync -a --delete-after a/ h:b/"],
    pass: ["rsync -av a/ b/", "rsync -an --dry-run --delete a b"],
  },
  "files.truncate": {
    match: [
      "truncate -s 0 a.log",
      "truncate --size=0 a.log",
      "truncate -s -5M a.log",
      "find . -name '*.ts' -exec truncate -s 0 {} +",
      'truncate -s 0 "$LOG"',
      "mv a.txt /dev/null",
      "for f in $(git ls-files); do : > $f; done",
      ": > ~/.bashrc",
      "> ~/.bashrc",
      "cat /dev/null > ~/.bashrc",
      "cp /dev/null ~/.bashrc",
      "cp /dev/null *.ts",
      "echo -n > ~/.bashrc",
    ],
    pass: ["truncate -s 10M a.img", "mv a.txt b.txt", ": > new.log", "true > /dev/null", "truncate -s 0 /tmp/a"],
  },
  "files.remote-delete": {
    match: ["ssh host 'rm -rf /srv/app'", "ssh -p 22 u@h sudo rm /etc/passwd"],
    pass: ["ssh host ls /srv"],
  },
  "files.remote-overwrite": { match: ["scp a.conf root@h:/etc/"], pass: ["scp a.txt h:docs/", "scp h:/etc/hosts ."] },

  "disks.format": {
    match: ["mkfs.ext4 /dev/sda1", "wipefs -a /dev/sdb", "diskutil eraseDisk APFS X disk2"],
    pass: ["mkfs.ext4 disk.img", "diskutil list"],
  },
  "disks.write": {
    match: ["dd if=a.img of=/dev/sda", "cat a.img > /dev/sdb"],
    pass: ["dd if=/dev/zero of=a.img", "ls > /dev/null"],
  },
  "disks.partition": {
    match: ["parted /dev/sda mklabel gpt", "zpool destroy tank", "lvremove vg/lv", "blockdev --setro /dev/sda"],
    pass: ["parted -l", "zpool status", "fdisk -l", "blockdev --report /dev/sda"],
  },
  "disks.unmount": { match: ["umount -l /mnt", "cryptsetup close data"], pass: ["umount /mnt", "mount"] },

  "permissions.open-to-all": {
    match: ["chmod 777 a", "chmod -R a+rwx .", "chmod u+s a"],
    pass: ["chmod +x a.sh", "chmod 644 a", "chmod -R u+w ."],
  },
  "permissions.change-all": {
    match: ["chown -R me /etc", "chmod -R 700 /", "chmod 755 -R /"],
    pass: ["chown -R me src", "chmod 755 -R src", "chmod 600 ~/.ssh/id"],
  },
  "permissions.accounts": { match: ["userdel ada", "passwd -d root"], pass: ["passwd --help", "id ada"] },

  "processes.multiply": {
    match: [
      ":(){ :|:& };:",
      "f() { f | f & }; f",
      "function bomb {\n  sleep 1\n  bomb & bomb\n}\nbomb",
      "f() ( f & f & ); f",
      "bash -c ':(){ :|:& };:'",
      "perl -e 'fork while fork'",
      "python3 -c 'import os\nwhile True: os.fork()'",
    ],
    pass: [
      "retry() { npm test || retry; }; retry",
      "serve() { npm start & }; serve | cat",
      'log() { echo "$1" | tee -a log; }; log a | log',
      "echo ':(){ :|:& };:'",
    ],
  },
  "processes.kill-all": {
    match: ["kill -9 -1", "pkill -u ada", "kill -9 1"],
    pass: ["kill 1234", "pkill node", "kill -9 4711"],
  },
  "processes.stop-service": {
    match: ["systemctl stop nginx", "service nginx stop", "nginx -s stop", "brew services stop mysql"],
    pass: ["systemctl status nginx", "nginx -t", "nginx -s reload"],
  },
  "processes.shutdown": { match: ["sudo shutdown -h now", "systemctl reboot"], pass: ["shutdown -c", "uptime"] },
  "processes.delete-schedule": { match: ["crontab -r"], pass: ["crontab -l", "crontab a.txt"] },
  "processes.firewall": {
    match: ["iptables -F", "ufw disable", "ip link set eth0 down", "route del default"],
    pass: ["iptables -L", "ufw status", "ip addr", "ip link set eth0 up", "route -n"],
  },
  "processes.kernel": { match: ["rmmod nvme", "grub-install /dev/sda"], pass: ["lsmod", "modprobe loop"] },
};
