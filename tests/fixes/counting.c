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
typedef struct {
  int *events, many, room; /* what a run tells of, in order: block entered (> 0), allocation (0), access (< 0) */
  size_t *sizes;           /* of its allocations */
  int made;
} Trace;
static struct {
  Trace trace;
  int alike;
  size_t peak, least, possible;
  long faults, used;
  uint64_t result;
} runs[1 << 12];
static int done; /* so many of them, each told from those before by what was counted until then */
static long faults_before, used_before;
static uint64_t total;
static int asked, leaving;

static void tell(int event) {
  Trace *trace = &runs[done].trace;
  if (done == 1 << 12 || leaving)
    return;
  if (trace->many == trace->room) {
    trace->room = trace->room ? 2 * trace->room : 256;
    trace->events = realloc(trace->events, trace->room * sizeof *trace->events);
    trace->sizes = realloc(trace->sizes, trace->room * sizeof *trace->sizes);
  }
  trace->events[trace->many++] = event;
}

/* A block of the program is entered, where the program was made to tell of them. */
void memlane_at(int64_t number) { tell(1 + (int)number); }

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
  tell(0);
  if (done < 1 << 12 && !leaving)
    runs[done].trace.sizes[runs[done].trace.made++] = size;
  live_bytes += size;
  if (live_bytes > peak)
    peak = live_bytes;
  return block->pages;
}

/* An access to the address, where the program was made to tell of them. */
void memlane_touch(void *address) {
  Block *block = block_of(address);
  if (!block)
    return;
  block->used = ++now;
  if (block - blocks >= first)
    tell(-1 - (int)(block - blocks - first));
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

/* How long two runs go the same way. */
static int common(const Trace *one, const Trace *other) {
  int at = 0;
  while (at < one->many && at < other->many && one->events[at] == other->events[at])
    ++at;
  return at;
}

/* The first run that goes the same way to the end. */
static int first_alike(int run) {
  for (int other = 0; other < run; ++other)
    if (runs[other].alike == other && runs[other].trace.many == runs[run].trace.many &&
        common(&runs[other].trace, &runs[run].trace) == runs[run].trace.many)
      return other;
  return run;
}

/* The peak of a run if each block were freed as soon as no run that has gone the same way so far uses it again. */
static size_t possible_peak(int run) {
  const Trace *trace = &runs[run].trace;
  if (runs[run].alike != run)
    return runs[runs[run].alike].possible;
  int *last = calloc(trace->made + 1, sizeof *last); /* where each allocation is needed last, by any of them */
  size_t most = 0;
  for (int other = 0; other < done; ++other) {
    const Trace *way = &runs[other].trace;
    if (runs[other].alike != other)
      continue;
    int same = common(trace, way), made = 0;
    for (int at = 0; at < way->many; ++at) {
      int event = way->events[at], number = event < 0 ? -1 - event : made;
      if (event > 0)
        continue;
      made += event == 0;
      if (number < trace->made && last[number] < (at < same ? at : same))
        last[number] = at < same ? at : same;
    }
  }
  for (int at = 0, made = 0; at < trace->many; ++at)
    if (trace->events[at] == 0) {
      size_t sum = 0;
      ++made;
      for (int number = 0; number < made; ++number)
        sum += last[number] >= at ? trace->sizes[number] : 0;
      most = sum > most ? sum : most;
    }
  free(last);
  return runs[run].possible = most;
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
  runs[done].trace.many = runs[done].trace.made = 0;
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
    runs[done].alike = first_alike(done);
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
    printf("%s[%zu, %zu, %zu, %ld, %ld, %lu]", i ? ", " : "", runs[i].peak, runs[i].least, possible_peak(i),
           runs[i].faults, runs[i].used, runs[i].result);
  printf("]}\n");
  fflush(stdout);
  max_peak = 0;
  allocations = leaks = bad_frees = uses_after_free = faults_before = used_before = 0;
  result = total = 0;
  done = 0;
}
