/*
 * A library to preload (LD_PRELOAD) that makes the disk fail below one folder.
 *
 *   FAIL_FOLDER  only files below this folder count
 *   FAIL_ERRNO   EIO or ENOSPC
 *   FAIL_AT      the n-th call that writes fails. EIO: that call alone. ENOSPC: all from then on that need room.
 *   FAIL_COUNT   file that gets a byte for each call that was counted
 *   FAIL_WHILE   instead of FAIL_AT: calls fail as long as this file exists
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static int below(const char *path) {
  const char *folder = getenv("FAIL_FOLDER");
  if (!folder || !path) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int fd_below(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  return below(path);
}

/* Whether this call fails; it needs room on the disk or does not. */
static int fails(int needs_room) {
  const char *name = getenv("FAIL_ERRNO");
  int code = name && strcmp(name, "ENOSPC") == 0 ? ENOSPC : EIO;
  const char *sw = getenv("FAIL_WHILE");
  if (sw) {
    if (syscall(SYS_access, sw, F_OK) != 0 || (code == ENOSPC && !needs_room)) return 0;
    errno = code;
    return 1;
  }
  if (code == ENOSPC && !needs_room) return 0;
  long n = atomic_fetch_add(&calls, 1) + 1;
  const char *count = getenv("FAIL_COUNT");
  if (count) {
    int fd = syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd >= 0) {
      syscall(SYS_write, fd, ".", 1);
      syscall(SYS_close, fd);
    }
  }
  const char *at = getenv("FAIL_AT");
  long wanted = at ? atol(at) : 0;
  if (wanted <= 0 || (code == EIO ? n != wanted : n < wanted)) return 0;
  errno = code;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *b, size_t n) {
  return fd > 2 && fd_below(fd) && fails(1) ? -1 : REAL(write)(fd, b, n);
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) {
  return fd_below(fd) && fails(1) ? -1 : REAL(pwrite)(fd, b, n, o);
}
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) {
  return fd_below(fd) && fails(1) ? -1 : REAL(pwrite64)(fd, b, n, o);
}
ssize_t writev(int fd, const struct iovec *v, int n) {
  return fd > 2 && fd_below(fd) && fails(1) ? -1 : REAL(writev)(fd, v, n);
}
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t o) {
  return fd_below(fd) && fails(1) ? -1 : REAL(pwritev)(fd, v, n, o);
}
ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t o) {
  return fd_below(fd) && fails(1) ? -1 : REAL(pwritev64)(fd, v, n, o);
}
int fsync(int fd) { return fd_below(fd) && fails(0) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fd_below(fd) && fails(0) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t n) { return fd_below(fd) && fails(1) ? -1 : REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fd_below(fd) && fails(1) ? -1 : REAL(ftruncate64)(fd, n); }
int rename(const char *a, const char *b) { return below(b) && fails(0) ? -1 : REAL(rename)(a, b); }
int link(const char *a, const char *b) { return below(b) && fails(1) ? -1 : REAL(link)(a, b); }

#define WRITES (O_WRONLY | O_RDWR)
#define MODE(flags)                                   \
  mode_t mode = 0;                                    \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {            \
    va_list args;                                     \
    va_start(args, flags);                            \
    mode = va_arg(args, mode_t);                      \
    va_end(args);                                     \
  }
#define REFUSED(path, flags) (((flags) & WRITES) && below(path) && fails(((flags) & O_CREAT) != 0))

int open(const char *path, int flags, ...) {
  MODE(flags)
  return REFUSED(path, flags) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  return REFUSED(path, flags) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
  MODE(flags)
  return REFUSED(path, flags) ? -1 : REAL(openat)(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
  MODE(flags)
  return REFUSED(path, flags) ? -1 : REAL(openat64)(at, path, flags, mode);
}
