/* An allocator that counts, for programs lowered with `use-generic-functions`.
 *
 * Every block has pages of its own; freeing one takes away all access to them, so that a use after free is a fault,
 * which is counted and let pass. What a driver (execute.py) tells: a run begins, a run ends; what is freed twice or
 * was never allocated is a bad free, as is what was allocated before the run began.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 1 << 16, PAGE = 4096 };

typedef struct {
  char *pages;
  size_t size, mapped;
  int live;
  long made, used; /* when it was allocated, and used last */
} Block;

static Block blocks[BLOCKS];
static int count, first;
static size_t live_bytes, peak, max_peak;
static long allocations, leaks, bad_frees, uses_after_free, now;
static uint64_t result, pattern;
static struct {
  size_t peak, least;
  long faults, used;
  uint64_t result;
} runs[1 << 12];
static int done; /* so many of them, each told from those before by what was counted until then */
static long faults_before, used_before;
static uint64_t total;
static int asked, leaving;

static Block *block_of(void *address) {
  for (int i = count - 1; i >= 0; --i)
    if ((char *)address >= blocks[i].pages && (char *)address < blocks[i].pages + blocks[i].mapped)
      return &blocks[i];
  return NULL;
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  Block *block = block_of(info->si_addr);
  if (!block || block->live) {
    signal(signal_number, SIG_DFL);
    return;
  }
  ++uses_after_free;
  mprotect(block->pages, block->mapped, PROT_READ | PROT_WRITE);
}

void *_mlir_memref_to_llvm_alloc(size_t size) {
  if (count == BLOCKS)
    abort();
  Block *block = &blocks[count++];
  block->size = size;
  block->mapped = (size + PAGE) / PAGE * PAGE;
  block->pages = mmap(NULL, block->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block->pages == MAP_FAILED)
    abort();
  block->live = 1;
  block->made = block->used = ++now;
  ++allocations;
  live_bytes += size;
  if (live_bytes > peak)
    peak = live_bytes;
  return block->pages;
}

/* An access to the address, where the program was made to tell of them. */
void memlane_touch(void *address) {
  Block *block = block_of(address);
  if (block)
    block->used = ++now;
}

/* The peak of this run if each block were freed right after its last use. */
static size_t least_peak(void) {
  size_t least = 0;
  for (int i = first; i < count; ++i) {
    size_t sum = 0;
    for (int j = first; j <= i; ++j)
      sum += blocks[j].used >= blocks[i].made ? blocks[j].size : 0;
    least = sum > least ? sum : least;
  }
  return least;
}

void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t size) {
  (void)alignment;
  return _mlir_memref_to_llvm_alloc(size);
}

void _mlir_memref_to_llvm_free(void *address) {
  Block *block = block_of(address);
  int whole = block && block->live && block->pages == address;
  int own = whole && block - blocks >= first;
  if (!own)
    bad_frees += !leaving;
  if (!whole || (!own && leaving))
    return;
  block->live = 0; /* the caller's memory, too: what uses it then is a use after free */
  live_bytes -= own ? block->size : 0;
  memset(block->pages, 0xDB, block->size);
  mprotect(block->pages, block->mapped, PROT_NONE);
}

/* The next unknown flag: the bits of the run's number, then alternating ones so that loops end. */
int8_t memlane_flag(void) {
  int bit = asked < 20 ? pattern >> asked & 1 : asked & 1;
  ++asked;
  return bit;
}

/* The next unknown number, 0 to 3. */
int64_t memlane_number(void) { return memlane_flag() | memlane_flag() << 1; }

void memlane_result(int64_t bits) { result = (result ^ bits) * 0x100000001b3u; }

void memlane_begin(int64_t number) {
  static int installed;
  if (!installed++) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
  }
  pattern = number;
  asked = 0;
}

/* From here on what is allocated is the program's: what came before are its arguments. */
void memlane_enter(void) {
  first = count;
  live_bytes = peak = 0;
}

/* The function has returned: its results are freed, where they are not arguments. */
void memlane_leave(void) { leaving = 1; }

void memlane_end(void) {
  size_t least = least_peak();
  for (int i = 0; i < count; ++i) {
    if (i >= first && blocks[i].live)
      ++leaks;
    munmap(blocks[i].pages, blocks[i].mapped);
  }
  count = first = leaving = 0;
  if (done < 1 << 12) {
    runs[done].peak = peak;
    runs[done].least = least;
    runs[done].faults = leaks + bad_frees + uses_after_free - faults_before;
    runs[done].used = uses_after_free - used_before;
    runs[done++].result = result;
  }
  faults_before = leaks + bad_frees + uses_after_free;
  used_before = uses_after_free;
  total = (total ^ result) * 0x100000001b3u;
  result = 0;
  if (peak > max_peak)
    max_peak = peak;
}

/* One line for all runs of one function since the last report. */
void memlane_report(int64_t function) {
  printf("{\"function\": %ld, \"peak\": %zu, \"allocations\": %ld, \"leaks\": %ld, \"bad_frees\": %ld, "
         "\"uses_after_free\": %ld, \"result\": %lu, \"paths\": [",
         (long)function, max_peak, allocations, leaks, bad_frees, uses_after_free, total);
  for (int i = 0; i < done; ++i)
    printf("%s[%zu, %zu, %ld, %ld, %lu]", i ? ", " : "", runs[i].peak, runs[i].least, runs[i].faults, runs[i].used,
           runs[i].result);
  printf("]}\n");
  fflush(stdout);
  max_peak = 0;
  allocations = leaks = bad_frees = uses_after_free = faults_before = used_before = 0;
  result = total = 0;
  done = 0;
}
