/* Permanent threads, and the only code that differs between platforms. */

#define _POSIX_C_SOURCE 200809L

#include "thread.h"

static void serve_pool(Pool *pool);

#ifdef _WIN32

#include <process.h>
#include <windows.h>

static unsigned __stdcall run_thread(void *pool)
{
    serve_pool(pool);
    return 0;
}

static bool start_thread(Thread *thread, Pool *pool)
{
    *thread = (Thread)_beginthreadex(NULL, 0, run_thread, pool, 0, NULL);
    return *thread != NULL;
}

static void join_thread(Thread *thread)
{
    WaitForSingleObject(*thread, INFINITE);
    CloseHandle(*thread);
}

static void make_lock(Pool *pool)
{
    InitializeSRWLock((PSRWLOCK)&pool->lock);
    InitializeConditionVariable((PCONDITION_VARIABLE)&pool->begins);
    InitializeConditionVariable((PCONDITION_VARIABLE)&pool->ends);
}

static void drop_lock(Pool *pool)
{
    (void)pool;
}

static void lock(Pool *pool)
{
    AcquireSRWLockExclusive((PSRWLOCK)&pool->lock);
}

static void unlock(Pool *pool)
{
    ReleaseSRWLockExclusive((PSRWLOCK)&pool->lock);
}

static void wait_for(Condition *condition, Pool *pool)
{
    SleepConditionVariableSRW((PCONDITION_VARIABLE)condition, (PSRWLOCK)&pool->lock, INFINITE, 0);
}

static void wake(Condition *condition)
{
    WakeAllConditionVariable((PCONDITION_VARIABLE)condition);
}

static long this_process(void)
{
    return (long)GetCurrentProcessId();
}

#else

#include <signal.h>
#include <unistd.h>

static void *run_thread(void *pool)
{
    serve_pool(pool);
    return NULL;
}

/* Start a thread that leaves all signals to other threads. */
static bool start_thread(Thread *thread, Pool *pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = !pthread_create(thread, NULL, run_thread, pool);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

static void join_thread(Thread *thread)
{
    pthread_join(*thread, NULL);
}

static void make_lock(Pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begins, NULL);
    pthread_cond_init(&pool->ends, NULL);
}

static void drop_lock(Pool *pool)
{
    pthread_cond_destroy(&pool->ends);
    pthread_cond_destroy(&pool->begins);
    pthread_mutex_destroy(&pool->lock);
}

static void lock(Pool *pool)
{
    pthread_mutex_lock(&pool->lock);
}

static void unlock(Pool *pool)
{
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for(Condition *condition, Pool *pool)
{
    pthread_cond_wait(condition, &pool->lock);
}

static void wake(Condition *condition)
{
    pthread_cond_broadcast(condition);
}

static long this_process(void)
{
    return (long)getpid();
}

#endif

/* Execute shares of the job until none is left; the lock is held before and after. */
static void do_shares(Pool *pool)
{
    while (pool->taken < pool->shares) {
        int share = pool->taken++;
        unlock(pool);
        int failed = pool->work(pool->given, share);
        lock(pool);
        if (failed >= 0 && (pool->failed < 0 || failed < pool->failed)) {
            pool->failed = failed;
        }
        if (++pool->done == pool->shares) {
            wake(&pool->ends);
        }
    }
}

/* Execute shares of one job after another, if another thread is needed, until the pool closes. */
static void serve_pool(Pool *pool)
{
    lock(pool);
    while (!pool->closes) {
        if (pool->wanted > 0) {
            pool->wanted--;
            do_shares(pool);
        }
        wait_for(&pool->begins, pool);
    }
    unlock(pool);
}

void open_pool(Pool *pool)
{
    make_lock(pool);
    pool->process = this_process();
    pool->started = pool->wanted = pool->shares = pool->taken = pool->done = 0;
    pool->closes = false;
}

int share_out(Pool *pool, int threads, int shares, Work work, void *given)
{
    if (pool->process != this_process()) { /* threads and locks belong to the parent process */
        open_pool(pool);
    }
    lock(pool);
    pool->work = work;
    pool->given = given;
    pool->wanted = threads - 1;
    pool->shares = shares;
    pool->taken = pool->done = 0;
    pool->failed = -1;
    while (pool->started < threads - 1
           && start_thread(&pool->threads[pool->started], pool)) {
        pool->started++;
    }
    wake(&pool->begins);
    do_shares(pool);
    while (pool->done < pool->shares) {
        wait_for(&pool->ends, pool);
    }
    int failed = pool->failed;
    unlock(pool);
    return failed;
}

void close_pool(Pool *pool)
{
    if (pool->process != this_process()) {
        return;
    }
    lock(pool);
    pool->closes = true;
    wake(&pool->begins);
    unlock(pool);
    while (pool->started) {
        join_thread(&pool->threads[--pool->started]);
    }
    drop_lock(pool);
}
