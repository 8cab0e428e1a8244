/* Threads that stay, and share work out among them.
 *
 * They are those of POSIX or of Windows.  What is for Windows compiles there; it has never been run.
 */

#ifndef VALLETTA_THREAD_H
#define VALLETTA_THREAD_H

#include <stdbool.h>

#ifdef _WIN32
typedef void *Thread;
typedef void *Lock; /* these two are laid out as SRWLOCK and CONDITION_VARIABLE */
typedef void *Condition;
#else
#include <pthread.h>
typedef pthread_t Thread;
typedef pthread_mutex_t Lock;
typedef pthread_cond_t Condition;
#endif

enum { MOST_THREADS = 256 };

/* Does one share of a job; returns the place where it failed first, or -1. */
typedef int (*Work)(void *given, int share);

/* Threads that wait for a job.  All but `process` and `threads` is for whoever holds the lock: how
 * many threads there are, the job, how many more threads may join it, how many of its shares have
 * been taken and done, and the first place where it failed. */
typedef struct {
    Thread threads[MOST_THREADS];
    long process;
    Lock lock;
    Condition begins, ends;
    int started;
    Work work;
    void *given;
    int wanted, shares, taken, done, failed;
    bool closes;
} Pool;

/* Prepare a pool, without a thread yet.  It stays where it is until it is closed. */
void open_pool(Pool *pool);

/* Do all shares of a job, in the calling thread and up to so many less one of the pool, which are
 * started as needed; in the caller alone if there can be none.  Return the first place where it
 * failed, or -1.  Only one thread calls this at a time; a process that was forked has a pool anew. */
int share_out(Pool *pool, int threads, int shares, Work work, void *given);

/* End the threads of a pool, and wait until they have ended. */
void close_pool(Pool *pool);

#endif
