/* A thread pool for POSIX or Windows.  The code for Windows compiles there; it has never been run.
 * */

#ifndef VALLETTA_THREAD_H
#define VALLETTA_THREAD_H

#include <stdbool.h>

#ifdef _WIN32
typedef void *Thread;
typedef void *Lock; /* `Lock` and `Condition` have the layouts of SRWLOCK and CONDITION_VARIABLE */
typedef void *Condition;
#else
#include <pthread.h>
typedef pthread_t Thread;
typedef pthread_mutex_t Lock;
typedef pthread_cond_t Condition;
#endif

enum { MOST_THREADS = 256 };

/* Executes one share of a job; returns the index of the first failure, or -1. */
typedef int (*Work)(void *given, int share);

/* A pool of threads that wait for a job.  The lock protects all members except `process` and
 * `threads`: the number of started threads, the job, the number of further threads that may join
 * it, the numbers of its shares that are taken and done, and the index of the first failure. */
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

/* Initialize a pool without threads.  Do not move it in memory before it is closed. */
void open_pool(Pool *pool);

/* Execute all shares of a job in the calling thread and up to `threads` - 1 threads of the pool,
 * which are started as needed.  If no thread can be started, the caller executes all shares.
 * Return the index of the first failure, or -1.  Only one thread may call this at a time.  A forked
 * process gets a new pool. */
int share_out(Pool *pool, int threads, int shares, Work work, void *given);

/* Stop the threads of a pool, and wait until they have ended. */
void close_pool(Pool *pool);

#endif
