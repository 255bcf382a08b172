// The file that icount's Valgrind tool (tool/) writes and counter/named_counts.h reads, in C for both. Parts, one
// behind the other, each whole in itself; all numbers little-endian, every record a multiple of eight bytes.
//
// A part is a CountsHead, then `objects` CountsObjects, `threads` CountsThreads, and for each thread, in turn, its
// pieces and its edges; then the text, which ends in "totals: N" and blanks, and a checksum of everything before it in
// the part.
//
// This header, alone of icount, may also be used under the GNU General Public License, version 2 or later: the tool's.
#ifndef ICOUNT_COUNTER_COUNTS_LAYOUT_H
#define ICOUNT_COUNTER_COUNTS_LAYOUT_H

#define ICOUNT_COUNTS_MAGIC 0x31544e554f434949ULL /* "IICOUNT1" */

/* Why a part was written. At a function: its name says which, and at which end. */
enum { kCountsAtEnd = 0, kCountsOnRequest = 1, kCountsBeforeExec = 2, kCountsAtFunction = 3 };

/* How a piece of code ends. */
enum { kEndsInside = 0, kEndsAtSideExit = 1, kEndsInJump = 2, kEndsInCall = 3, kEndsInReturn = 4, kEndsBelow = 5 };

/* What an edge is. A skipped one is what a linkage table (PLT) cost on behalf of the site; `inclusive` is that cost. */
enum { kEdgeCall = 0, kEdgeJump = 1, kEdgeReturn = 2, kEdgeSkipped = 3 };

typedef struct {
  unsigned long long magic;
  unsigned long long bytes; /* of the whole part, checksum included */
  unsigned int version;     /* 1 */
  unsigned int trigger;
  unsigned long long pid;
  unsigned long long number; /* of the part in its process, from 1 */
  unsigned long long total;  /* instructions, of all threads; the pieces and skipped edges add up to it */
  unsigned int objects, threads;
  unsigned int text_bytes, separate_threads;
  unsigned int command, command_bytes; /* in the text */
  unsigned int name, name_bytes;       /* that the program's request gave the part, in the text; empty: none */
  unsigned long long begin,
      end; /* instructions that ran before it and up to its end, kept or not, on and on in copies */
} CountsHead;

typedef struct {
  unsigned long long begin, end; /* of its executable part in memory */
  unsigned long long bias;       /* address in memory less address in the file */
  unsigned int path, path_bytes; /* in the text; no bytes: code that no file has */
  unsigned char build_id[32];
  unsigned int build_id_bytes, reserved;
} CountsObject;

typedef struct {
  unsigned long long thread;
  unsigned long long total;
  unsigned long long pieces, edges;
} CountsThread;

/* Straight code, executed from its first to its last instruction. The lengths of its instructions, a byte each, are in
   the text. */
typedef struct {
  unsigned long long address;
  unsigned long long block;   /* where the block of code begins that it belongs to: whose symbol names it */
  unsigned long long context; /* entry of the function in whose course it ran first; 0: unknown */
  unsigned long long count;
  unsigned long long left;   /* of `count`: left by what it ends with, rather than going on to the next piece */
  unsigned long long target; /* where a jump at its end goes; 0: unknown */
  unsigned int object;       /* 1 + index; 0: none */
  unsigned int lengths;      /* in the text */
  unsigned short instructions;
  unsigned char end, section; /* section: 0 code, 1 linkage table, 2 other */
  unsigned int target_object;
} CountsPiece;

typedef struct {
  unsigned long long site; /* of the instruction that calls or jumps */
  unsigned long long site_block, site_context;
  unsigned long long to;
  unsigned long long count, inclusive;
  unsigned int site_object, to_object;
  unsigned int kind, reserved;
} CountsEdge;

/* Of whole 8-byte words. */
static inline unsigned long long icount_counts_mix(unsigned long long sum, unsigned long long word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15ULL;
  return sum ^ (sum >> 29);
}

#endif
