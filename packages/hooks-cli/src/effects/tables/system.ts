/** Files, rights, processes and the network of a machine. The format is described in `effect-tables.ts`. */
export const SYSTEM_EFFECTS = `
shred srm wipe
  files.shred: #1
rsync
  files.mirror-delete: --delete-before|--delete-after|--delete-during|--delete-excluded|--delete-delay|--remove-source-files
robocopy
  files.mirror-delete: ** /MIR|/PURGE
restore rrestore
  files.overwrite: -r|-x|-i|-R
mv
  files.truncate: ** /dev/null
chmod
  permissions.open-to-all: a+w|666|+w -R|--recursive; 777|0777|a+rwx|ugo+rwx|a=rwx|o+w
  permissions.open-to-all: ** -R|--recursive 000; 000|a-rwx; u+s|+s|4???|6???
setfacl
  permissions.open-to-all: -b|--remove-all; -x|-k; -m|--modify|--set={o,other}:*; -m|--modify|--set=*,o*:*; ** o:*|o*r:*|*,o:*|*,o*r:*|d*:o:*|d*:o*r:*
chattr
  permissions.change-all: -R
  permissions.open-to-all: -i
passwd
  permissions.accounts: -d|--delete|-l|--lock; root
userdel deluser groupdel delgroup
  permissions.accounts: #1
usermod
  permissions.accounts: -L|--lock|-G|-p|--password|-e|--expiredate !-a|--append; ** sudo|wheel|admin|root
gpasswd
  permissions.accounts: -d|--delete|-r; ** sudo|wheel|admin|root
visudo
  permissions.accounts: !-c|--check
dscl
  permissions.accounts: ** -delete|delete
setenforce
  firewall: 0|Permissive
kill
  kill-all: -9|-KILL|-SIGKILL ** 1
killall5
  kill-all: **
killall
  kill-all: -u|--user|-r|--regexp
pkill
  kill-all: ** .; -u|-U|--euid|--uid
systemctl
  stop-service: stop|disable|mask|kill|isolate|revert|suspend|hibernate
  shutdown: poweroff|reboot|halt|kexec|emergency|rescue
service rc-service
  stop-service: ** stop
initctl
  stop-service: stop
launchctl
  stop-service: unload|bootout|remove|disable|kill|stop
supervisorctl
  stop-service: stop|shutdown|remove|clear
pm2
  stop-service: delete|del|kill|stop all
nginx
  stop-service: -s=stop; -s=quit
haproxy
  stop-service: -sf|-st
apachectl
  stop-service: stop|graceful-stop; -k=stop
shutdown
  shutdown: !-c|-k
stop-service remove-service suspend-service
  stop-service: #1
remove-localuser disable-localuser
  permissions.accounts: #1
unregister-scheduledtask
  delete-schedule: **
taskkill
  kill-all: ** /im|/IM *
stop-computer restart-computer reboot poweroff halt
  shutdown: **
init telinit
  shutdown: 0|6|1
crontab
  delete-schedule: -r
atrm
  delete-schedule: #1
iptables
  firewall: -F|--flush|-X|-P|-D|--delete-chain|--policy|--delete
nft
  firewall: flush|delete|destroy
ufw
  firewall: disable|reset|delete; --force reset
firewall-cmd
  firewall: --remove-*|--panic-on|--complete-reload
pfctl
  firewall: -F|-d
ip
  firewall: ** del|delete|flush; ** link set ** down
route
  firewall: ** del|delete|flush
ifconfig
  firewall: ** down
nmcli
  firewall: ** delete|down|off
netplan
  firewall: apply
rmmod
  kernel: #1
modprobe
  kernel: -r|--remove
kexec
  kernel: -e
grub-install update-grub
  kernel: **
grub-mkconfig
  kernel: -o
dracut
  kernel: -f|--force
efibootmgr
  kernel: -B|--delete-bootnum|-O|--delete-bootorder
`;
