/** Disks, volumes and file systems. The format is described in `effect-tables.ts`. */
export const DISKS_EFFECTS = `
blkdiscard sg_format
  format: #1
format
  format: ?:
format-volume clear-disk initialize-disk reset-physicaldisk
  format: **
remove-partition
  partition: **
mkswap
  format: ** /dev/**
wipefs
  format: -a|--all|-o|--offset|-f|--force
fdisk
  partition: !-l|--list #1
sfdisk
  partition: !-l|--list|-d|--dump|-J #1
cfdisk lvremove vgremove pvremove lvreduce vgreduce pvmove
  partition: #1
resize2fs
  partition: -M; #2
gdisk
  partition: !-l #1
sgdisk
  partition: -Z|-z|-o|-d|-n|-t|-g|--zap-all|--zap|--clear|--delete|--new
parted
  partition: ** mklabel|mktable|mkpart|rm|resizepart|rescue|set|name|move|toggle
mdadm
  partition: --zero-superblock|--stop|-S|--remove|-r|--fail|-f|--create|-C|--grow|-G
cryptsetup
  format: luksFormat|erase|luksErase|reencrypt|luksKillSlot|luksRemoveKey
  partition: resize
  unmount: close|luksClose
blockdev
  unmount: --setro|--setrw
lvresize
  partition: -L|--size=-*
dmsetup
  partition: remove|remove_all|wipe_table|clear
zpool
  partition: destroy|labelclear|remove|offline|detach; create|import -f
zfs
  partition: destroy|rollback
btrfs
  partition: subvolume delete; device remove|delete; filesystem resize; check --repair
xfs_repair
  format: -L
tune2fs
  format: -U|-O|-r|-m
e2fsck
  format: -y
fsck
  format: -y|-a|-f
badblocks
  format: -w
hdparm
  format: --security-erase|--security-erase-enhanced|--trim-sector-ranges|--write-sector
nvme
  format: format|sanitize|delete-ns|write-zeroes
nbd-client
  unmount: -d|-c
qemu-img
  partition: resize --shrink; snapshot -d
losetup
  unmount: -d|-D|--detach|--detach-all
umount
  unmount: -f|--force|-l|--lazy|-a|--all|-R|--recursive
mount
  unmount: -o=*remount,ro*; -o=ro,remount*
diskutil
  format: eraseDisk|eraseVolume|reformat|partitionDisk|zeroDisk|randomDisk|secureErase
  format: apfs|cs deleteContainer|deleteVolume|delete|eraseVolume
diskpart
  partition: **
`;
