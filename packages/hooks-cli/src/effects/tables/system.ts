/** Files, disks, rights, processes and the network of a machine. The format is described in `effect-tables.ts`. */
export const SYSTEM_EFFECTS = `
shred srm wipe
  files.shred: #1
rsync
  files.mirror-delete: --del|--delete|--delete-before|--delete-after|--delete-during|--delete-excluded|--delete-delay|--remove-source-files
robocopy
  files.mirror-delete: ** /MIR|/PURGE
restore rrestore
  files.overwrite: -r|-x|-i|-R
truncate
  files.truncate: -s|--size=0*
mv
  files.truncate: ** /dev/null
blkdiscard sg_format
  disks.format: #1
mkswap
  disks.format: ** /dev/**
wipefs
  disks.format: -a|--all|-o|--offset|-f|--force
fdisk
  disks.partition: !-l|--list #1
sfdisk
  disks.partition: !-l|--list|-d|--dump|-J #1
cfdisk lvremove vgremove pvremove lvreduce vgreduce pvmove resize2fs
  disks.partition: #1
gdisk
  disks.partition: !-l #1
sgdisk
  disks.partition: -Z|-z|-o|-d|-n|-t|-g|--zap-all|--zap|--clear|--delete|--new
parted
  disks.partition: ** mklabel|mktable|mkpart|rm|resizepart|rescue|set|name|move|toggle
mdadm
  disks.partition: --zero-superblock|--stop|-S|--remove|-r|--fail|-f|--create|-C|--grow|-G
cryptsetup
  disks.format: luksFormat|erase|luksErase|reencrypt|luksKillSlot|luksRemoveKey
  disks.partition: resize
  disks.unmount: close|luksClose
blockdev
  disks.partition: --setro|--setrw
lvresize
  disks.partition: -L|--size=-*
dmsetup
  disks.partition: remove|remove_all|wipe_table|clear
zpool
  disks.partition: destroy|labelclear|remove|offline|detach; create|import -f
zfs
  disks.partition: destroy|rollback
btrfs
  disks.partition: subvolume delete; device remove|delete; filesystem resize; check --repair
xfs_repair
  disks.format: -L
tune2fs
  disks.format: -U|-O|-r|-m
e2fsck
  disks.format: -f|-y|-p|-c|-cc
fsck
  disks.format: -y|-a|-f
badblocks
  disks.format: -w|-n
hdparm
  disks.format: --security-erase|--security-erase-enhanced|--trim-sector-ranges|--write-sector
nvme
  disks.format: format|sanitize|delete-ns|write-zeroes
nbd-client
  disks.unmount: -d|-c
qemu-img
  disks.partition: resize --shrink; snapshot -d
losetup
  disks.unmount: -d|-D|--detach|--detach-all
umount
  disks.unmount: -f|--force|-l|--lazy|-a|--all|-R|--recursive
mount
  disks.unmount: -o=*remount*; --bind
swapoff
  disks.unmount: -a|--all
diskutil
  disks.format: eraseDisk|eraseVolume|reformat|partitionDisk|zeroDisk|randomDisk|secureErase
  disks.format: apfs|cs deleteContainer|deleteVolume|delete|eraseVolume
diskpart
  disks.partition: **
chmod
  permissions.open-to-all: 777|0777|a+rwx|ugo+rwx|o+w|a+w|666|+w -R|--recursive; 777|0777|a+rwx|ugo+rwx|a=rwx|o+w
  permissions.open-to-all: ** -R|--recursive 000; 000|a-rwx; u+s|g+s|+s|4???|2???|6???
setfacl
  permissions.open-to-all: -b|--remove-all|-R|--recursive; -x|-k
chattr
  permissions.change-all: -R|-i
passwd
  permissions.accounts: -d|--delete|-l|--lock; root
userdel deluser groupdel delgroup
  permissions.accounts: #1
usermod
  permissions.accounts: -L|--lock|-G|-p|--password|-e|--expiredate !-a|--append
visudo
  permissions.accounts: !-c|--check
dscl
  permissions.accounts: ** -delete|delete
setenforce
  permissions.accounts: 0|Permissive
kill
  kill-all: ** -1; -9|-KILL|-SIGKILL ** 1
killall5
  kill-all: **
killall
  kill-all: -u|--user|-r|--regexp
pkill
  kill-all: -u|-U|--euid|--uid
systemctl
  stop-service: stop|disable|mask|kill|isolate|revert
  shutdown: poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue
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
reboot poweroff halt
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
rmmod insmod
  kernel: #1
modprobe
  kernel: -r|--remove
kexec
  kernel: -e|-l
grub-install update-grub
  kernel: **
grub-mkconfig
  kernel: -o
dracut
  kernel: -f|--force
efibootmgr
  kernel: -B|--delete-bootnum|-O|--delete-bootorder
`;
