/* Preloaded into a service: its wall clock shows CLOCK_OFFSET_SECONDS more than the machine's, as on a machine that is set wrong. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  const char *seconds = getenv("CLOCK_OFFSET_SECONDS");
  return seconds == NULL ? 0 : atol(seconds);
}

int clock_gettime(clockid_t id, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, id, now);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = syscall(SYS_gettimeofday, now, zone);
  if (result == 0 && now != NULL) now->tv_sec += offset();
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != NULL) *into = now.tv_sec;
  return now.tv_sec;
}
