"""slow-disk.py FOLDER MOUNT MILLISECONDS: a file system on which each write and each fsync takes so long; FOLDER has its files.

Runs in the foreground until it is unmounted. Needs root, /dev/fuse and libfuse3 (fuse.h: the order of the operations is its ABI).
"""

import ctypes as c
import os
import sys
import time

FOLDER, MOUNT, MILLISECONDS = os.fsencode(sys.argv[1]), os.fsencode(sys.argv[2]), float(sys.argv[3])
FUSE = c.CDLL("libfuse3.so.3")
LIBC = c.CDLL(None, use_errno=True)
P, SIZE, OFF, UINT = c.c_void_p, c.c_size_t, c.c_int64, c.c_uint
PATH = c.c_char_p
AT_FDCWD, AT_SYMLINK_NOFOLLOW = -100, 0x100
FILLER = c.CFUNCTYPE(c.c_int, P, PATH, P, OFF, c.c_int)

# Names and arguments after the path, in the order of struct fuse_operations.
OPERATIONS = {
    "getattr": (P, P),
    "readlink": None,
    "mknod": None,
    "mkdir": (UINT,),
    "unlink": (),
    "rmdir": (),
    "symlink": None,
    "rename": (PATH, UINT),
    "link": (PATH,),
    "chmod": (UINT, P),
    "chown": (UINT, UINT, P),
    "truncate": (OFF, P),
    "open": (P,),
    "read": (P, SIZE, OFF, P),
    "write": (P, SIZE, OFF, P),
    "statfs": (P,),
    "flush": None,
    "release": None,
    "fsync": (c.c_int, P),
    **dict.fromkeys(["setxattr", "getxattr", "listxattr", "removexattr", "opendir"]),
    "readdir": (P, FILLER, OFF, P, c.c_int),
    **dict.fromkeys(["releasedir", "fsyncdir", "init", "destroy", "access"]),
    "create": (UINT, P),
    "lock": None,
    "utimens": (P, P),
    **dict.fromkeys(["bmap", "ioctl", "poll", "write_buf", "read_buf", "flock", "fallocate", "copy_file_range", "lseek"]),
}


def libc(name, *arguments):
    return 0 if getattr(LIBC, name)(*arguments) == 0 else -c.get_errno()


def opened(path, flags, work, mode=0o600):
    file = os.open(path, flags, mode)
    try:
        return work(file)
    finally:
        os.close(file)


def read(path, buffer, size, offset, _):
    data = opened(path, os.O_RDONLY, lambda file: os.pread(file, size, offset))
    c.memmove(buffer, data, len(data))
    return len(data)


def write(path, buffer, size, offset, _):
    time.sleep(MILLISECONDS / 1000)
    return opened(path, os.O_WRONLY, lambda file: os.pwrite(file, c.string_at(buffer, size), offset))


def fsync(path, *_):
    time.sleep(MILLISECONDS / 1000)
    return opened(path, os.O_RDONLY, os.fsync)


def readdir(path, buffer, fill, *_):
    for name in [b".", b"..", *os.listdir(path)]:
        fill(buffer, name, None, 0, 0)


def flags_of(information):
    return c.cast(information, c.POINTER(c.c_int32))[0] & ~(os.O_APPEND | os.O_EXCL)


DONE = {
    "getattr": lambda path, stat, _: libc("lstat", path, P(stat)),
    "mkdir": os.mkdir,
    "unlink": os.unlink,
    "rmdir": os.rmdir,
    "rename": lambda path, to, _: os.rename(path, FOLDER + to),
    "link": lambda path, to: os.link(path, FOLDER + to),
    "chmod": lambda path, mode, _: os.chmod(path, mode),
    "chown": lambda path, user, group, _: libc("lchown", path, UINT(user), UINT(group)),
    "truncate": lambda path, size, _: os.truncate(path, size),
    "open": lambda path, information: opened(path, flags_of(information) & ~os.O_CREAT, lambda _: 0),
    "read": read,
    "write": write,
    "statfs": lambda path, found: libc("statvfs", path, P(found)),
    "fsync": fsync,
    "readdir": readdir,
    "create": lambda path, mode, information: opened(path, flags_of(information) | os.O_CREAT, lambda _: 0, mode),
    "utimens": lambda path, times, _: libc("utimensat", AT_FDCWD, path, P(times), AT_SYMLINK_NOFOLLOW),
}


def operation(name, types):
    if types is None:
        return P()

    def answer(path, *arguments):
        try:
            return DONE[name](FOLDER + path, *arguments) or 0
        except OSError as error:
            return -error.errno

    return c.CFUNCTYPE(c.c_int, PATH, *types)(answer)


class Operations(c.Structure):
    _fields_ = [(name, P if types is None else c.CFUNCTYPE(c.c_int, PATH, *types)) for name, types in OPERATIONS.items()]


operations = Operations(*(operation(name, types) for name, types in OPERATIONS.items()))
words = [b"slow-disk", b"-f", b"-o", b"fsname=fsxbench-faults,default_permissions,attr_timeout=0", MOUNT]
sys.exit(FUSE.fuse_main_real(len(words), (PATH * len(words))(*words), c.byref(operations), SIZE(c.sizeof(operations)), None))
