/* icount's Valgrind tool: how often every instruction ran, and what calls cost.

   The code is counted in pieces: from the start of a block to the first exit, and from each exit to the next. A piece
   runs as a whole or not at all (but for a fault in it, which is corrected when the signal comes), so that one counter
   serves all of its instructions. What calls cost is kept by a shadow stack that helpers at calls, returns and jumps
   into other functions maintain; which of them Callgrind 3.19 takes for calls, this tool does, too. Names and lines
   are none of its business: icount resolves addresses by the objects' files.

   Copyright (C) 2026 the icount authors. This program is free software; you can redistribute it and/or modify it under
   the terms of the GNU General Public License as published by the Free Software Foundation; either version 2 of the
   License, or (at your option) any later version. It comes without any warranty; see tool/LICENSE. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_clreq.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_transtab.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "callgrind.h"
#include "counts_layout.h"

/* ---------------------------------------------------------------------------------------------------------------- */
/* VALGRIND_LIB tells Valgrind's launcher where this tool lies. Where nothing else of Valgrind is there, the rest is
   taken from Valgrind's own folder. A program's environment, and how long its names are, takes part in what its start
   costs, which has to be what it costs with Callgrind: the variable is taken out, and for a program that a counted one
   executes, where Valgrind sets it, it names Valgrind's own folder. Such a program finds kExecuted behind the folder.
   Linked with --wrap: Valgrind asks for the variable, and then makes the program's stack by a description that has the
   environment's place. */

extern HChar* __real_vgPlain_getenv(const HChar* name);
HChar* __wrap_vgPlain_getenv(const HChar* name);
void icount_move_environment(HChar*** words);

static HChar** moved_from = NULL;
static const HChar* tool_folder = NULL;
static const HChar* rest_folder = NULL;
static const HChar kExecuted[] = "/.";

HChar* __wrap_vgPlain_getenv(const HChar* name) {
  HChar* value = __real_vgPlain_getenv(name);
  if (!value || VG_(strcmp)(name, "VALGRIND_LIB") != 0) return value;
  HChar supp[VG_(strlen)(value) + 20];
  VG_(sprintf)(supp, "%s/default.supp", value);
  const SysRes there = VG_(open)(supp, VKI_O_RDONLY, 0);
  if (!sr_isError(there)) {
    VG_(close)(sr_Res(there));
    return value;
  }
  static HChar folder[VKI_PATH_MAX], folder_of_executed[VKI_PATH_MAX], variable[VKI_PATH_MAX];
  SizeT length = VG_(strlen)(value);
  const SizeT suffix = VG_(strlen)(kExecuted);
  const Bool is_executed = length > suffix && VG_(strcmp)(value + length - suffix, kExecuted) == 0;
  if (is_executed) length -= suffix;
  if (length + suffix + 20 > VKI_PATH_MAX) return value;
  VG_(memcpy)(folder, value, length);
  VG_(sprintf)(folder_of_executed, "%s%s", folder, kExecuted);
  tool_folder = folder_of_executed;
  rest_folder = VG_(libdir);
  UInt k = 0;
  while (VG_(strncmp)(VG_(client_envp)[k], "VALGRIND_LIB=", 13) != 0) k++;
  if (is_executed && VG_(strlen)(rest_folder) + 20 <= VKI_PATH_MAX) {
    VG_(sprintf)(variable, "VALGRIND_LIB=%s", rest_folder);
    VG_(client_envp)[k] = variable;
    return NULL;
  }
  /* The end stays where it is: what lies behind it is found from there. */
  for (; k > 0; k--) VG_(client_envp)[k] = VG_(client_envp)[k - 1];
  moved_from = VG_(client_envp)++;
  return NULL;
}

/* What Valgrind preloads lies in its own folder, by which it is taken out of the environment of an executed program. */
extern void __real_vgPlain_env_remove_valgrind_env_stuff(HChar** envp, Bool ro_strings, void (*free_fn)(void*));
void __wrap_vgPlain_env_remove_valgrind_env_stuff(HChar** envp, Bool ro_strings, void (*free_fn)(void*));
void __wrap_vgPlain_env_remove_valgrind_env_stuff(HChar** envp, Bool ro_strings, void (*free_fn)(void*)) {
  const HChar* before = VG_(libdir);
  if (rest_folder) VG_(libdir) = rest_folder;
  __real_vgPlain_env_remove_valgrind_env_stuff(envp, ro_strings, free_fn);
  VG_(libdir) = before;
}

/* `words` begin the description, which is passed by value. */
void icount_move_environment(HChar*** words) {
  for (UInt i = 0; i < 8 && moved_from; i++)
    if (words[i] == moved_from) words[i] = moved_from + 1;
}
__asm__(
    ".globl __wrap_vgPlain_ii_create_image\n"
    "__wrap_vgPlain_ii_create_image:\n"
    "push %rdi\n push %rsi\n push %rdx\n"
    "lea 32(%rsp), %rdi\n"
    "call icount_move_environment\n"
    "pop %rdx\n pop %rsi\n pop %rdi\n"
    "jmp __real_vgPlain_ii_create_image\n");

/* Lines and unwinding information are icount's to read, of the objects that have something to show: Valgrind would
   read those of all objects before they run. Symbols it needs: they tell where functions begin. Also --wrap. */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void) {}
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void) {}

/* Behind a stack trace, which names an instruction that Valgrind does not know: where to look for the first line. */
extern void __real_vgPlain_get_and_pp_StackTrace(ThreadId tid, UInt most);
void __wrap_vgPlain_get_and_pp_StackTrace(ThreadId tid, UInt most);
void __wrap_vgPlain_get_and_pp_StackTrace(ThreadId tid, UInt most) {
  __real_vgPlain_get_and_pp_StackTrace(tid, most);
  const Addr at = VG_(get_IP)(tid);
  const DebugInfo* const object = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), at);
  if (object)
    VG_(umsg)("icount: %#lx of %s\n", at - VG_(DebugInfo_get_text_bias)(object), VG_(DebugInfo_get_filename)(object));
}

/* VEX looks for its own mistakes three times in each block: a tenth of what a large program's start takes. */
void __wrap_sanityCheckIRSB(const IRSB* block, const HChar* caller, Bool is_flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB* block, const HChar* caller, Bool is_flat, IRType word) {}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Options. */

static const HChar* clo_counts_file = "icount.out.%p";
static Bool clo_instr_atstart = True;
static Bool clo_collect_atstart = True;
static Bool clo_separate_threads = False;
static Bool clo_collect_jumps = False;
static Bool clo_combine_dumps = False;
static Bool clo_children_alike = False;
#define MOST_WITHIN 4096u
static const HChar* clo_within[MOST_WITHIN]; /* functions by name */
static UInt n_within;

/* ---------------------------------------------------------------------------------------------------------------- */
/* Tables of pieces and edges: chunks that never move, because translated code and sites point into them. */

#define CHUNK 16384u

typedef struct {
  Addr first, block, context, target;
  UChar* lengths;
  UInt object, target_object;
  UShort n;
  UChar end, section;
} Piece;

typedef struct {
  ULong count, inclusive;
} EdgeCount;

typedef struct Site Site;
typedef struct Edge Edge;

/* A place that calls or jumps to functions. */
struct Site {
  Site* next;
  Addr address, after, block;
  UInt object;
  UChar kind;
  Bool is_plt, is_resolver;
  Bool is_direct;   /* to where it says, though Valgrind leads others elsewhere */
  Addr known_to;    /* where a jump went last, and what is known of that: where it leads, */
  Addr known_place; /* whether it is a call, and into a linkage table */
  Bool known_emulated, known_skips;
  UChar section;
  Addr last_to; /* of `last`; 0: none */
  Edge* last;
  Edge* skipped;
  UInt piece, n; /* of a block in a linkage table: its piece and instructions */
};

struct Edge {
  Edge* next;
  Site* site;
  Addr to;
  Addr context; /* the thread's, where it went this way */
  UInt to_object, generation;
  UInt index;
  UChar kind;
  const HChar* within; /* of clo_within, where it leads there */
  EdgeCount* now;
};

typedef struct {
  Edge* edge; /* NULL: a linkage table's, or a signal's */
  Addr sp, after;
  ULong entered;
  Site* nonskipped; /* to be restored */
  Addr context;     /* to be restored */
  Bool is_signal, on_other_stack;
} Frame;

/* What one thread (or, unless they are to be kept apart, all of them) collected before now. */
typedef struct {
  ULong* pieces;
  UInt n_pieces;
  EdgeCount* edges;
  UInt n_edges;
  ULong total;
} Bank;

typedef struct {
  Bool is_used, collects, in_signal_entry;
  ULong g;       /* instructions counted while this thread ran */
  ULong g_begin; /* when the last part was written or counting began */
  Frame* frames;
  UInt top, room;
  Site* nonskipped;
  Addr context; /* where the function was entered that runs, not counting linkage tables; 0: unknown */
  Bank bank;
} Thread;

static Piece** piece_chunks;
static ULong** count_chunks;
static UInt n_pieces, n_piece_chunks;
static Edge*** edge_chunks; /* pointers, for their order of creation */
static EdgeCount** edge_count_chunks;
static UInt n_edges, n_edge_chunks;

static Site* sites;
static UInt generation = 1;       /* of the mappings: addresses before and after an unmapping are not the same */
static UInt place_generation = 1; /* of what is remembered of addresses: changes when code is mapped, too */

static ULong g; /* of the running thread */
static Thread* threads;
static ThreadId running;
static Bool is_counting;      /* what runs now is to be kept */
static Bool is_instrumenting; /* as Callgrind has it: without, there is no stack either */
static Bool is_bare;          /* nothing was ever asked to be counted: code is translated without counters */
static Bool in_client_code;
static UInt last_request_piece, last_request_pieces; /* block of the client request or system call that is running */
static ULong part_number;
static ULong ran_uncollected; /* instructions that ran and were not kept */
static ULong part_begin;      /* what had run when the part began */

static inline Piece* piece_at(UInt i) { return &piece_chunks[i / CHUNK][i % CHUNK]; }
static inline ULong* count_at(UInt i) { return &count_chunks[i / CHUNK][i % CHUNK]; }
static inline EdgeCount* edge_count_at(UInt i) { return &edge_count_chunks[i / CHUNK][i % CHUNK]; }
static inline Edge* edge_at(UInt i) { return edge_chunks[i / CHUNK][i % CHUNK]; }

static UInt new_piece(void) {
  if (n_pieces == n_piece_chunks * CHUNK) {
    piece_chunks = VG_(realloc)("icount.pieces", piece_chunks, (n_piece_chunks + 1) * sizeof *piece_chunks);
    count_chunks = VG_(realloc)("icount.counts", count_chunks, (n_piece_chunks + 1) * sizeof *count_chunks);
    piece_chunks[n_piece_chunks] = VG_(calloc)("icount.piece", CHUNK, sizeof(Piece));
    count_chunks[n_piece_chunks] = VG_(calloc)("icount.count", CHUNK, sizeof(ULong));
    n_piece_chunks++;
  }
  return n_pieces++;
}

/* Lengths of instructions, and text: bytes that are only added to. */
static UChar* length_room;
static UInt length_left;
static UChar* new_lengths(UInt n) {
  if (n > length_left) {
    length_left = n > 65536 ? n : 65536;
    length_room = VG_(malloc)("icount.lengths", length_left);
  }
  UChar* at = length_room;
  length_room += n;
  length_left -= n;
  return at;
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Objects. */

typedef struct {
  Addr begin, end, bias;
  HChar* path;
  UInt generation, id; /* id: 1 + index of the object's record */
  UChar build_id[32];
  UInt build_id_bytes;
} Object;

static Object* objects;
static UInt n_objects;

typedef struct {
  UInt type, flags;
  ULong offset, address, physical, in_file, in_memory, align;
} Program; /* an ELF program header */

static void read_build_id(Object* o) {
  SysRes r = VG_(open)(o->path, VKI_O_RDONLY, 0);
  if (sr_isError(r)) return;
  Int fd = sr_Res(r);
  UChar head[64];
  if (VG_(read)(fd, head, 64) == 64 && head[0] == 0x7f && head[1] == 'E' && head[4] == 2) {
    ULong at = *(ULong*)(head + 32);
    UInt size = *(UShort*)(head + 54), n = *(UShort*)(head + 56);
    for (UInt i = 0; i < n && o->build_id_bytes == 0 && size == sizeof(Program); i++) {
      Program p;
      if (VG_(lseek)(fd, at + i * size, VKI_SEEK_SET) < 0 || VG_(read)(fd, &p, sizeof p) != sizeof p) break;
      if (p.type != 4 || p.in_file > 4096) continue;
      UChar notes[4096];
      if (VG_(lseek)(fd, p.offset, VKI_SEEK_SET) < 0 || VG_(read)(fd, notes, p.in_file) != (Int)p.in_file) continue;
      for (ULong k = 0; k + 12 <= p.in_file;) {
        ULong name = *(UInt*)(notes + k), desc = *(UInt*)(notes + k + 4), type = *(UInt*)(notes + k + 8);
        ULong data = k + 12 + ((name + 3) & ~3ULL);
        if (data + desc > p.in_file) break;
        if (type == 3 && name == 4 && desc <= 32 && VG_(memcmp)(notes + k + 12, "GNU", 4) == 0) {
          VG_(memcpy)(o->build_id, notes + data, desc);
          o->build_id_bytes = desc;
          break;
        }
        k = data + ((desc + 3) & ~3ULL);
      }
    }
  }
  VG_(close)(fd);
}

/* What an address is: the object that has it, the kind of its section, whether a function begins there. */
typedef struct {
  Addr address;
  UInt generation, object;
  UChar section;
  Bool is_entry;
} Place;

static UInt object_of(Addr a, DiEpoch epoch) {
  DebugInfo* di = VG_(find_DebugInfo)(epoch, a);
  if (!di) return 0;
  const HChar* path = VG_(DebugInfo_get_filename)(di);
  Addr begin = VG_(DebugInfo_get_text_avma)(di);
  for (UInt i = n_objects; i-- > 0;) {
    Object* o = &objects[i];
    if (o->begin != begin || VG_(strcmp)(o->path, path) != 0) continue;
    if (o->generation == generation) return i + 1;
    /* Something was unmapped since: the same file again, unless its build differs. */
    Object again = *o;
    again.build_id_bytes = 0;
    read_build_id(&again);
    if (again.build_id_bytes == o->build_id_bytes && VG_(memcmp)(again.build_id, o->build_id, o->build_id_bytes) == 0) {
      o->generation = generation;
      return i + 1;
    }
    break;
  }
  objects = VG_(realloc)("icount.objects", objects, (n_objects + 1) * sizeof *objects);
  Object* o = &objects[n_objects++];
  VG_(memset)(o, 0, sizeof *o);
  o->begin = begin;
  o->end = begin + VG_(DebugInfo_get_text_size)(di);
  o->bias = VG_(DebugInfo_get_text_bias)(di);
  o->path = VG_(strdup)("icount.path", path);
  o->generation = generation;
  read_build_id(o);
  return n_objects;
}

/* Names are compared with one of C's, and demangling all others would take longer than translating the code. */
extern Bool VG_(clo_demangle);
static Bool find_name(DiEpoch epoch, Addr a, Bool is_entry, const HChar** name) {
  const Bool demangles = VG_(clo_demangle);
  VG_(clo_demangle) = False;
  const Bool found = is_entry ? VG_(get_fnname_if_entry)(epoch, a, name) : VG_(get_fnname)(epoch, a, name);
  VG_(clo_demangle) = demangles;
  return found;
}

static Bool is_in_resolver(Addr a) {
  const HChar* name;
  return find_name(VG_(current_DiEpoch)(), a, False, &name) && VG_(strncmp)(name, "_dl_runtime_resolve", 19) == 0;
}

#define PLACES 65536u
static Place places[PLACES];

static const Place* place_of(Addr a) {
  Place* p = &places[(a ^ (a >> 16)) % PLACES];
  if (p->address == a && p->generation == place_generation) return p;
  DiEpoch epoch = VG_(current_DiEpoch)();
  p->address = a;
  p->generation = place_generation;
  p->object = object_of(a, epoch);
  const VgSectKind kind = VG_(DebugInfo_sect_kind)(NULL, a);
  p->section = kind == Vg_SectPLT ? 1 : kind == Vg_SectText ? 0 : (UChar)(2 + kind);
  const HChar* name;
  p->is_entry = p->object && find_name(epoch, a, True, &name);
  return p;
}

/* Whether going from a block in one place to another by other means than a call is a call for Callgrind. */
static inline Bool is_emulated(UInt object, UChar section, const Place* to) {
  return to->is_entry || to->section != section || to->object != object;
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Edges and the shadow stack. */

#define EDGE_LISTS 65536u
static Edge* edge_lists[EDGE_LISTS];

static const HChar* find_within(Addr to) {
  const HChar* name;
  if (n_within && VG_(get_fnname)(VG_(current_DiEpoch)(), to, &name))
    for (UInt i = 0; i < n_within; i++)
      if (VG_(strcmp)(name, clo_within[i]) == 0) return clo_within[i];
  return NULL;
}

static Edge* new_edge(Site* site, Addr to, UChar kind, UInt to_object, Addr context) {
  if (n_edges == n_edge_chunks * CHUNK) {
    edge_chunks = VG_(realloc)("icount.edges", edge_chunks, (n_edge_chunks + 1) * sizeof *edge_chunks);
    edge_count_chunks =
        VG_(realloc)("icount.edge counts", edge_count_chunks, (n_edge_chunks + 1) * sizeof *edge_count_chunks);
    edge_chunks[n_edge_chunks] = VG_(calloc)("icount.edge", CHUNK, sizeof(Edge*));
    edge_count_chunks[n_edge_chunks] = VG_(calloc)("icount.edge count", CHUNK, sizeof(EdgeCount));
    n_edge_chunks++;
  }
  Edge* e = VG_(calloc)("icount.an edge", 1, sizeof *e);
  e->site = site;
  e->to = to;
  e->context = context;
  e->kind = kind;
  e->to_object = to_object;
  e->generation = generation;
  e->within = kind == kEdgeSkipped ? NULL : find_within(to);
  e->index = n_edges++;
  e->now = edge_count_at(e->index);
  edge_chunks[e->index / CHUNK][e->index % CHUNK] = e;
  return e;
}

static Edge* find_edge(Site* site, Addr to, Addr context) {
  if (site->last_to == to && site->last->context == context) return site->last;
  UWord list = (((UWord)site >> 4) * 31 + to * 7 + context) % EDGE_LISTS;
  Edge* e;
  for (e = edge_lists[list]; e; e = e->next)
    if (e->site == site && e->to == to && e->context == context && e->generation == generation) break;
  if (!e) {
    e = new_edge(site, to, site->kind, place_of(to)->object, context);
    e->next = edge_lists[list];
    edge_lists[list] = e;
  }
  site->last_to = to;
  site->last = e;
  return e;
}

static void grow(Thread* t) {
  t->room = t->room ? 2 * t->room : 1024;
  t->frames = VG_(realloc)("icount.frames", t->frames, t->room * sizeof *t->frames);
}

static inline Thread* now(void) { return &threads[running]; }

/* What the thread that runs has collected. It stands still while nothing is. */
static inline ULong collected(const Thread* t) { return LIKELY(is_counting) ? g : t->g; }

/* A part ends at the begin and at the end of a function that is asked for, where it is not active otherwise. */
static void cut_at_function(const HChar* option, const HChar* function);
static void cut_at_outermost(const Thread* t, const HChar* option, const HChar* function) {
  for (UInt i = 0; i < t->top; i++)
    if (t->frames[i].edge && t->frames[i].edge->within == function) return;
  cut_at_function(option, function);
}

static inline void pop(Thread* t) {
  Frame* f = &t->frames[--t->top];
  Edge* e = f->edge;
  t->nonskipped = f->nonskipped;
  if (e) e->now->inclusive += collected(t) - f->entered;
  t->context = f->context;
  if (UNLIKELY(e && e->within)) cut_at_outermost(t, "--dump-after=", e->within);
}

/* Leaves what lies below `sp`. Returns whether there was any. */
static inline Bool unwind(Thread* t, Addr sp) {
  Bool any = False;
  while (t->top && t->frames[t->top - 1].sp < sp) {
    Frame* f = &t->frames[t->top - 1];
    if (f->is_signal && f->on_other_stack) {
      Addr least = VG_(thread_get_altstack_min)(running);
      if (sp - least <= VG_(thread_get_altstack_size)(running)) break;
    }
    pop(t);
    any = True;
  }
  return any;
}

extern Addr VG_(redir_do_lookup)(Addr orig, Bool* is_wrap);

static void look_at(Site* site, Addr to) {
  Bool is_wrap;
  site->known_to = to;
  site->known_place = site->is_direct ? to : VG_(redir_do_lookup)(to, &is_wrap);
  const Place* place = place_of(site->known_place);
  site->known_skips = place->section == 1;
  site->known_emulated = is_emulated(site->object, site->section, place);
}

static void push(Thread* t, Site* site, Addr to, Addr sp) {
  if (site->known_to != to) look_at(site, to);
  to = site->known_place;
  const Bool skips = site->known_skips;
  Site* from = t->nonskipped && !skips ? t->nonskipped : site;
  Edge* e = skips ? NULL : find_edge(from, to, t->context);
  if (UNLIKELY(e && e->within)) cut_at_outermost(t, "--dump-before=", e->within);
  if (t->top == t->room) grow(t);
  Frame* f = &t->frames[t->top++];
  f->edge = NULL;
  f->is_signal = f->on_other_stack = False;
  f->sp = sp;
  f->after = from->kind == kEdgeCall ? from->after : 0;
  f->nonskipped = t->nonskipped;
  f->context = t->context;
  f->entered = collected(t);
  if (skips) {
    if (!t->nonskipped) t->nonskipped = site;
    return;
  }
  f->edge = e;
  e->now->count++;
  t->context = to;
  t->nonskipped = NULL;
}

/* A call whose target is no linkage table, from no linkage table: nearly all of them. */
static inline void push_plain(Thread* t, Edge* e, Addr after, Addr sp) {
  if (t->top == t->room) grow(t);
  Frame* f = &t->frames[t->top++];
  f->edge = e;
  f->sp = sp;
  f->after = after;
  f->entered = collected(t);
  f->nonskipped = NULL;
  f->context = t->context;
  f->is_signal = f->on_other_stack = False;
  e->now->count++;
  t->context = e->to;
}

static VG_REGPARM(3) void at_call(Site* site, Addr to, Addr sp) {
  if (!is_instrumenting) return;
  Thread* t = now();
  unwind(t, sp);
  if (site->last_to == to && site->last->context == t->context && !t->nonskipped && !site->last->within)
    push_plain(t, site->last, site->after, sp);
  else
    push(t, site, to, sp);
}

static void emulate_call(Thread* t, Site* site, Addr to, Addr sp) {
  if (site->is_resolver && t->top && t->frames[t->top - 1].edge) {
    site = t->frames[t->top - 1].edge->site;
    sp = t->frames[t->top - 1].sp;
    pop(t);
  }
  if (unwind(t, sp)) return;
  const Bool goes_on = t->top && !t->frames[t->top - 1].is_signal;
  push(t, site, to, goes_on ? t->frames[t->top - 1].sp : sp);
}

/* What a block in a linkage table cost is its caller's. */
static void skip_cost(Thread* t, Site* site) {
  if (!site->is_plt) return;
  if (!t->nonskipped || !is_counting) {
    ++*count_at(site->piece);
    return;
  }
  Site* payer = t->nonskipped;
  if (!payer->skipped) payer->skipped = new_edge(payer, 0, kEdgeSkipped, 0, t->context);
  payer->skipped->now->inclusive += site->n;
  payer->skipped->now->count++;
}

/* A jump that is a call for sure (to a place that is known), or may be one. */
static VG_REGPARM(3) void at_known_jump(Site* site, Addr to, Addr sp) {
  if (!is_instrumenting) return;
  Thread* t = now();
  skip_cost(t, site);
  emulate_call(t, site, to, sp);
}

static VG_REGPARM(3) void at_jump(Site* site, Addr to, Addr sp) {
  if (!is_instrumenting) return;
  Thread* t = now();
  skip_cost(t, site);
  if (site->known_to != to) look_at(site, to);
  if (site->known_emulated)
    emulate_call(t, site, to, sp);
  else
    unwind(t, sp);
}

static VG_REGPARM(3) void at_return(Site* site, Addr to, Addr sp) {
  if (!is_instrumenting) return;
  Thread* t = now();
  skip_cost(t, site);
  Frame* f = t->top ? &t->frames[t->top - 1] : NULL;
  if (!f || f->is_signal) {
    /* From a function that was entered before the stack began; a signal's handler was entered by nobody. */
    if (!f && t->context && is_counting) {
      static Site* known;
      Site* s;
      for (s = known; s; s = s->next)
        if (s->address == to - 1) break;
      if (!s) {
        s = VG_(calloc)("icount.site", 1, sizeof *s);
        s->address = to - 1;
        s->block = to;
        s->object = place_of(to)->object;
        s->kind = kEdgeReturn;
        s->next = known;
        known = s;
      }
      Edge* e = find_edge(s, t->context, to);
      e->now->count++;
      e->now->inclusive += g - t->g_begin;
    }
    t->context = to;
    return;
  }
  if (LIKELY(f->sp < sp)) {
    unwind(t, sp);
    return;
  }
  UInt pops = 0;
  if (f->sp == sp)
    for (UInt i = t->top; i-- > 0 && t->frames[i].sp == sp && !t->frames[i].is_signal;)
      if (t->frames[i].after == to) {
        pops = t->top - i;
        break;
      }
  if (pops == 0)
    emulate_call(t, site, to, sp);
  else
    while (pops-- > 0) pop(t);
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* What is collected: moved from the counters that run to the bank of the thread where others are to run in between.
   Executions may be dropped instead; calls are counted as Callgrind does, whether costs are collected or not. Counters
   that are zero are not written: a forked process would get a copy of their page. */

static Bank* bank_of(ThreadId tid) { return &threads[clo_separate_threads ? tid : 0].bank; }

static void keep_counts(ThreadId tid, Bool drops) { /* executions */
  Bank* b = bank_of(tid);
  if (!drops && b->n_pieces < n_pieces) {
    b->pieces = VG_(realloc)("icount.bank", b->pieces, n_piece_chunks * CHUNK * sizeof *b->pieces);
    VG_(memset)(b->pieces + b->n_pieces, 0, (n_piece_chunks * CHUNK - b->n_pieces) * sizeof *b->pieces);
    b->n_pieces = n_piece_chunks * CHUNK;
  }
  if (b->n_edges < n_edges) {
    b->edges = VG_(realloc)("icount.bank", b->edges, n_edge_chunks * CHUNK * sizeof *b->edges);
    VG_(memset)(b->edges + b->n_edges, 0, (n_edge_chunks * CHUNK - b->n_edges) * sizeof *b->edges);
    b->n_edges = n_edge_chunks * CHUNK;
  }
  for (UInt c = 0; c < n_piece_chunks; c++) {
    UInt n = c + 1 < n_piece_chunks ? CHUNK : n_pieces - c * CHUNK;
    ULong *from = count_chunks[c], *to = b->pieces + c * CHUNK;
    for (UInt i = 0; i < n; i++) {
      if (!from[i]) continue;
      if (!drops) to[i] += from[i];
      from[i] = 0;
    }
  }
  for (UInt c = 0; c < n_edge_chunks; c++) {
    UInt n = c + 1 < n_edge_chunks ? CHUNK : n_edges - c * CHUNK;
    EdgeCount* from = edge_count_chunks[c];
    EdgeCount* to = b->edges + c * CHUNK;
    for (UInt i = 0; i < n; i++) {
      if (!from[i].count && !from[i].inclusive) continue;
      to[i].count += from[i].count;
      to[i].inclusive += from[i].inclusive;
      from[i].count = from[i].inclusive = 0;
    }
  }
}

/* Of the bank and, where `with_running`, of the counters that run. */
static ULong piece_count(const Bank* b, Bool with_running, UInt i) {
  return (i < b->n_pieces ? b->pieces[i] : 0) + (with_running ? *count_at(i) : 0);
}
static EdgeCount edge_count(const Bank* b, Bool with_running, UInt i) {
  EdgeCount sum = {0, 0};
  if (i < b->n_edges) sum = b->edges[i];
  if (with_running) {
    sum.count += edge_count_at(i)->count;
    sum.inclusive += edge_count_at(i)->inclusive;
  }
  return sum;
}

static Bool should_count(ThreadId tid) { return is_instrumenting && threads[tid].collects; }

/* Ends a time in which nothing was kept. */
static void drop_uncollected(void) {
  if (is_instrumenting) ran_uncollected += g - threads[running].g;
  g = threads[running].g;
}

/* Whether what runs from now on is kept. */
static void set_counting(Bool counts) {
  if (counts == is_counting) return;
  if (is_counting) {
    keep_counts(running, False);
    threads[running].g = g;
  } else {
    keep_counts(running, True);
    drop_uncollected();
  }
  is_counting = counts;
}

static void open_thread(ThreadId tid) {
  Thread* t = &threads[tid];
  if (t->is_used) return;
  t->is_used = True;
  t->collects = clo_collect_atstart;
}

static void switch_to(ThreadId tid) {
  open_thread(tid);
  if (tid == running) return;
  const Bool counts = should_count(tid);
  if (running != VG_INVALID_THREADID) {
    if (is_counting)
      threads[running].g = g;
    else
      drop_uncollected();
    if (clo_separate_threads || counts != is_counting) keep_counts(running, !is_counting);
  }
  running = tid;
  g = threads[tid].g;
  is_counting = counts;
}

static void at_start_client_code(ThreadId tid, ULong blocks) {
  if (UNLIKELY(tid != running)) switch_to(tid);
  Thread* t = &threads[tid];
  if (UNLIKELY(t->in_signal_entry || !t->context)) {
    t->in_signal_entry = False;
    t->context = VG_(get_IP)(tid);
  }
  in_client_code = True;
}
static void at_stop_client_code(ThreadId tid, ULong blocks) { in_client_code = False; }

static void forget_stack(Thread* t) {
  while (t->top) pop(t);
  t->nonskipped = NULL;
}

/* The block that runs, which ends in a request or a system call, once more or not at all. */
static void count_last_block(Bool adds) {
  if (!last_request_pieces) return;
  for (UInt i = last_request_piece; i < last_request_piece + last_request_pieces; i++) {
    if (adds) {
      ++*count_at(i);
      g += piece_at(i)->n;
    } else {
      --*count_at(i);
      g -= piece_at(i)->n;
    }
  }
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Instrumentation. */

static void add_count(IRSB* sb, ULong* counter, UInt n) {
  IRTemp t = newIRTemp(sb->tyenv, Ity_I64), u = newIRTemp(sb->tyenv, Ity_I64);
  IRExpr* a = mkIRExpr_HWord((HWord)counter);
  addStmtToIRSB(sb, IRStmt_WrTmp(t, IRExpr_Load(Iend_LE, Ity_I64, a)));
  addStmtToIRSB(sb, IRStmt_WrTmp(u, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(t), IRExpr_Const(IRConst_U64(n)))));
  addStmtToIRSB(sb, IRStmt_Store(Iend_LE, a, IRExpr_RdTmp(u)));
}

static void add_store(IRSB* sb, UInt* where, UInt value) {
  addStmtToIRSB(sb, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)where), IRExpr_Const(IRConst_U32(value))));
}

static void add_helper(IRSB* sb, const VexGuestLayout* layout, const HChar* name, void* helper, Site* site, IRExpr* to,
                       IRExpr* guard) {
  IRTemp sp = newIRTemp(sb->tyenv, Ity_I64);
  addStmtToIRSB(sb, IRStmt_WrTmp(sp, IRExpr_Get(layout->offset_SP, Ity_I64)));
  IRDirty* d = unsafeIRDirty_0_N(3, name, VG_(fnptr_to_fnentry)(helper),
                                 mkIRExprVec_3(mkIRExpr_HWord((HWord)site), to, IRExpr_RdTmp(sp)));
  if (guard) d->guard = guard;
  addStmtToIRSB(sb, IRStmt_Dirty(d));
}

typedef struct {
  Addr block, last, after, context;
  UInt object;
  UChar section;
  UInt plt_piece, plt_n;
} Block;

static Site* new_site(const Block* b, UChar kind) {
  Site* s = VG_(calloc)("icount.site", 1, sizeof *s);
  s->address = b->last;
  s->after = b->after;
  s->block = b->block;
  s->object = b->object;
  s->kind = kind;
  s->section = b->section;
  s->is_plt = b->section == 1;
  s->piece = b->plt_piece;
  s->n = b->plt_n;
  s->next = sites;
  sites = s;
  return s;
}

static UInt end_piece(UInt i, UChar end, Addr target) {
  Piece* p = piece_at(i);
  p->end = end;
  p->target = target;
  if (target) p->target_object = place_of(target)->object;
  return i;
}

static Addr address_of(const IRConst* c) { return c->tag == Ico_U64 ? (Addr)c->Ico.U64 : 0; }

/* Children that a process forks one after the other, and that do alike: each would translate the same code again. They
   list what they translated in memory that they share, and the parent translates, before the next fork, what two of
   them had: code of files that has a symbol, so that it does not matter in whose course it ran first. These four are
   Valgrind's own. */

extern Bool VG_(translate)(ThreadId tid, Addr code, Bool debugging, Int verbosity, ULong blocks_done, Bool redirects);
extern Bool VG_(search_transtab)(Addr* found, UShort* sector, void* entry, Addr code, Bool updates_cache);
extern SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);
extern SysRes VG_(am_do_mmap_NO_NOTIFY)(Addr start, SizeT length, UInt prot, UInt flags, Int fd, Off64T offset);

enum { MOST_LEARNT = 8192, SEEN = 1 << 16 };
static struct {
  ULong n;
  Addr code[MOST_LEARNT];
}* learnt;
static Addr* seen_once; /* by hash */
static Bool is_child = False;

static void share_translations(void) {
  const SysRes at = VG_(am_mmap_anon_float_valgrind)(sizeof *learnt);
  if (sr_isError(at)) return;
  const SysRes shared = VG_(am_do_mmap_NO_NOTIFY)(sr_Res(at), sizeof *learnt, VKI_PROT_READ | VKI_PROT_WRITE,
                                                  VKI_MAP_FIXED | VKI_MAP_SHARED | VKI_MAP_ANONYMOUS, -1, 0);
  if (sr_isError(shared)) return;
  learnt = (void*)sr_Res(shared);
  seen_once = VG_(calloc)("icount.seen", SEEN, sizeof *seen_once);
}

static void list_translation(Addr code) {
  const HChar* name;
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), code, &name)) return;
  const ULong i = __sync_fetch_and_add(&learnt->n, 1);
  if (i < MOST_LEARNT) learnt->code[i] = code;
}

static void before_fork(ThreadId tid) {
  if (!learnt || is_child || is_bare) return;
  for (UInt i = 0; i < learnt->n && i < MOST_LEARNT; i++) {
    const Addr code = learnt->code[i];
    Addr* seen = &seen_once[(code * 0x9E3779B97F4A7C15ULL) >> 48];
    if (*seen != code) {
      *seen = code;
      continue;
    }
    const NSegment* segment = VG_(am_find_nsegment)(code);
    if (segment && segment->kind == SkFileC && segment->hasX && !VG_(search_transtab)(NULL, NULL, NULL, code, False))
      VG_(translate)(tid, code, False, 0, 0, True);
  }
  learnt->n = 0;
}

/* What may let the program do something else in its next run, by the words of the log (callgrind/valgrind_log.h). */
enum { kClock = 1, kRandom = 2, kProcessId = 4, kThreads = 8, kFiles = 16 };
static const HChar* const kChance[] = {"clock", "random", "process-id", "threads", "files"};
static UInt chance = 0;

/* By name, of what Valgrind calls for an instruction. The dynamic loader takes its own time in every program. */
static UInt chance_of_helper(const HChar* name, UInt object) {
  if (VG_(strstr)(name, "_RDRAND") || VG_(strstr)(name, "_RDSEED")) return kRandom;
  const Bool is_loader = object && VG_(strstr)(objects[object - 1].path, "/ld-linux") != NULL;
  return VG_(strstr)(name, "_RDTSC") && !is_loader ? kClock : 0;
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* info, IRType guest_word, IRType host_word) {
  if (is_bare) return in;
  IRSB* out = deepCopyIRSBExceptStmts(in);
  Int i = 0;
  while (i < in->stmts_used && in->stmts[i]->tag != Ist_IMark) addStmtToIRSB(out, in->stmts[i++]);
  if (i == in->stmts_used) return in;

  Block b;
  VG_(memset)(&b, 0, sizeof b);
  b.block = b.last = in->stmts[i]->Ist.IMark.addr;
  b.after = b.block + in->stmts[i]->Ist.IMark.len;
  const Place* here = place_of(b.block);
  b.object = here->object;
  b.section = here->section;
  b.context = is_instrumenting ? now()->context : 0;
  if (learnt && is_child) list_translation(closure->nraddr);

  const Bool is_plt = b.section == 1;
  const UInt first_piece = n_pieces;
  UInt piece = 0, instructions = 0;
  Bool is_open = False;
  for (; i < in->stmts_used; i++) {
    IRStmt* s = in->stmts[i];
    if (!s || s->tag == Ist_NoOp) continue;
    const Bool begins = s->tag == Ist_IMark || (clo_collect_jumps && s->tag == Ist_Exit);
    if (begins && !is_open) {
      is_open = True;
      piece = new_piece();
      Piece* p = piece_at(piece);
      p->first = s->tag == Ist_IMark ? s->Ist.IMark.addr : b.last;
      p->block = b.block;
      p->context = b.context;
      p->object = b.object;
      p->section = b.section;
      UInt n = 0;
      for (Int k = i; k < in->stmts_used && in->stmts[k]->tag != Ist_Exit; k++)
        if (in->stmts[k]->tag == Ist_IMark) n++;
      p->n = n;
      p->lengths = new_lengths(n);
      n = 0;
      for (Int k = i; k < in->stmts_used && in->stmts[k]->tag != Ist_Exit; k++)
        if (in->stmts[k]->tag == Ist_IMark) p->lengths[n++] = in->stmts[k]->Ist.IMark.len;
      if (!is_plt) add_count(out, count_at(piece), 1);
      if (p->n) add_count(out, &g, p->n);
      instructions += p->n;
      b.plt_piece = first_piece;
      b.plt_n = instructions;
    }
    if (s->tag == Ist_IMark) {
      b.last = s->Ist.IMark.addr;
      b.after = b.last + s->Ist.IMark.len;
    }
    if (s->tag == Ist_Exit) {
      const Addr to = address_of(s->Ist.Exit.dst);
      if (is_open) end_piece(piece, kEndsAtSideExit, to);
      is_open = False;
      const Place* there = to && s->Ist.Exit.jk == Ijk_Boring ? place_of(to) : NULL;
      if (there && is_emulated(b.object, b.section, there))
        add_helper(out, layout, "at_known_jump", &at_known_jump, new_site(&b, kEdgeJump), mkIRExpr_HWord(to),
                   deepCopyIRExpr(s->Ist.Exit.guard));
    }
    if (s->tag == Ist_Dirty) chance |= chance_of_helper(s->Ist.Dirty.details->cee->name, b.object);
    addStmtToIRSB(out, s);
  }
  /* Behind the last exit: who goes on there ends as the block does. */
  if (!is_open && clo_collect_jumps && !is_plt) {
    piece = new_piece();
    Piece* p = piece_at(piece);
    p->first = b.last;
    p->block = b.block;
    p->context = b.context;
    p->object = b.object;
    p->section = b.section;
    add_count(out, count_at(piece), 1);
    is_open = True;
  }

  const Addr to = in->next->tag == Iex_Const ? address_of(in->next->Iex.Const.con) : 0;
  const Bool calls = in->jumpkind == Ijk_Call, returns = in->jumpkind == Ijk_Ret;
  const UChar end = calls ? kEndsInCall : returns ? kEndsInReturn : to == b.after ? kEndsBelow : kEndsInJump;
  if (is_open) end_piece(piece, end, to);
  if (calls)
    add_helper(out, layout, "at_call", &at_call, new_site(&b, kEdgeCall), deepCopyIRExpr(in->next), NULL);
  else if (returns)
    add_helper(out, layout, "at_return", &at_return, new_site(&b, kEdgeJump), deepCopyIRExpr(in->next), NULL);
  else if (!to) {
    Site* site = new_site(&b, kEdgeJump);
    site->is_resolver = b.object && is_in_resolver(b.block);
    site->is_direct = in->jumpkind == Ijk_NoRedir;
    add_helper(out, layout, "at_jump", &at_jump, site, deepCopyIRExpr(in->next), NULL);
  } else if (is_plt || is_emulated(b.object, b.section, place_of(to)))
    add_helper(out, layout, is_plt ? "at_jump" : "at_known_jump", is_plt ? (void*)&at_jump : (void*)&at_known_jump,
               new_site(&b, kEdgeJump), deepCopyIRExpr(in->next), NULL);
  if (in->jumpkind == Ijk_ClientReq || in->jumpkind == Ijk_Sys_syscall) {
    add_store(out, &last_request_piece, first_piece);
    add_store(out, &last_request_pieces, n_pieces - first_piece);
  }
  return out;
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* Events. */

/* Addresses do not mean what they meant: another file may lie there from now on. */
static void forget_places(void) {
  generation++;
  place_generation++;
  for (Site* s = sites; s; s = s->next) {
    s->known_to = s->last_to = 0;
    s->last = NULL;
  }
}

static void at_munmap(Addr a, SizeT len) {
  for (UInt i = 0; i < n_objects; i++)
    if (objects[i].begin < a + len && a < objects[i].end && objects[i].generation == generation) {
      forget_places();
      return;
    }
}

static void at_mmap(Addr a, SizeT len, Bool rr, Bool ww, Bool xx, ULong di_handle) {
  at_munmap(a, len);
  if (xx) place_generation++; /* what was no object's may be one's now */
}
static void at_mprotect(Addr a, SizeT len, Bool rr, Bool ww, Bool xx) {
  if (xx) place_generation++;
}

/* A fault leaves a piece in its middle: what was counted and did not run is taken back. Pieces that overlap end
   alike, so that it does not matter by which of them. */
static void at_signal(ThreadId tid, Int signal, Bool on_other_stack) {
  if (tid != running) switch_to(tid);
  Thread* t = now();
  if (in_client_code && is_counting &&
      (signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGFPE || signal == VKI_SIGILL ||
       signal == VKI_SIGTRAP)) {
    const Addr ip = VG_(get_IP)(tid);
    for (UInt i = n_pieces; i-- > 0;) {
      const Piece* p = piece_at(i);
      if (p->section == 1 || p->first > ip || *count_at(i) == 0) continue;
      Addr at = p->first;
      UInt k = 0;
      while (k < p->n && at < ip) at += p->lengths[k++];
      if (at != ip || k == p->n) continue;
      /* Its beginning runs as a piece of its own, once. */
      --*count_at(i);
      g -= p->n;
      if (k) {
        const Piece whole = *p;
        UInt part = new_piece();
        Piece* q = piece_at(part);
        *q = whole;
        q->n = k;
        q->end = kEndsInside;
        q->target = 0;
        q->target_object = 0;
        ++*count_at(part);
        g += k;
      }
      break;
    }
  }
  if (!is_instrumenting) return;
  if (t->top == t->room) grow(t);
  Frame* f = &t->frames[t->top++];
  VG_(memset)(f, 0, sizeof *f);
  f->sp = VG_(get_SP)(tid);
  f->entered = collected(t);
  f->nonskipped = t->nonskipped;
  f->is_signal = True;
  f->on_other_stack = on_other_stack;
  f->context = t->context;
  t->nonskipped = NULL;
  t->in_signal_entry = True;
}

static void after_signal(ThreadId tid, Int signal) {
  if (tid != running) switch_to(tid);
  Thread* t = now();
  UInt k = t->top;
  while (k-- > 0)
    if (t->frames[k].is_signal) break;
  if (k >= t->top) return;
  /* What it cost is no cost of what it interrupted. */
  const ULong cost = collected(t) - t->frames[k].entered;
  while (t->top > k) pop(t);
  while (k-- > 0) t->frames[k].entered += cost;
}

static void at_thread_exit(ThreadId tid) {
  /* Its frames end with it; its number may be another one's next. */
  if (tid != running) switch_to(tid);
  forget_stack(now());
  now()->context = 0;
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* The file. */

static struct {
  Int fd;
  Bool failed;
  ULong sum;
  UInt used;
  UChar bytes[65536];
} file;

static void flush(void) {
  UInt done = 0;
  while (done < file.used && !file.failed) {
    Int n = VG_(write)(file.fd, file.bytes + done, file.used - done);
    if (n <= 0) file.failed = True;
    done += n > 0 ? n : 0;
  }
  file.used = 0;
}

static void put(const void* data, UInt bytes) { /* a multiple of eight */
  const ULong* words = data;
  for (UInt i = 0; i < bytes / 8; i++) {
    file.sum = icount_counts_mix(file.sum, words[i]);
    if (file.used == sizeof file.bytes) flush();
    *(ULong*)(file.bytes + file.used) = words[i];
    file.used += 8;
  }
}

static UChar* text;
static UInt text_used, text_room;

static UInt add_text(const void* data, UInt bytes) {
  if (text_used + bytes > text_room) {
    text_room = 2 * (text_used + bytes) + 4096;
    text = VG_(realloc)("icount.text", text, text_room);
  }
  VG_(memcpy)(text + text_used, data, bytes);
  text_used += bytes;
  return text_used - bytes;
}

static UInt add_command(void) {
  UInt at = text_used;
  add_text(VG_(args_the_exename), VG_(strlen)(VG_(args_the_exename)));
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
    const HChar* arg = *(HChar**)VG_(indexXA)(VG_(args_for_client), i);
    add_text(" ", 1);
    add_text(arg, VG_(strlen)(arg));
  }
  return at;
}

static UInt find_thread_banks(ThreadId* with) {
  UInt n = 0;
  for (UInt i = 0; i < VG_N_THREADS; i++)
    if (threads[i].bank.n_pieces || (i == 0 && !clo_separate_threads)) with[n++] = i;
  return n;
}

/* Whether this process wrote the file, as the program that it was before an exec. */
static Bool is_own_file(const HChar* path) {
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(opened)) return False;
  CountsHead head;
  const Bool read = VG_(read)(sr_Res(opened), &head, sizeof head) == sizeof head;
  VG_(close)(sr_Res(opened));
  return read && head.magic == ICOUNT_COUNTS_MAGIC && head.pid == VG_(getpid)();
}

/* Instructions that ran so far, kept or not. */
static ULong instructions_ran(void) {
  ULong sum = ran_uncollected;
  for (UInt i = 0; i < VG_N_THREADS; i++) sum += threads[i].g;
  return sum;
}

static void write_part(UInt trigger, const HChar* name, Bool with_running) {
  HChar* path = VG_(expand_file_name)("--counts-file", clo_counts_file);
  const Bool is_apart = (trigger == kCountsOnRequest || trigger == kCountsAtFunction) && !clo_combine_dumps;
  if (is_apart) {
    HChar* with_number = VG_(malloc)("icount.path", VG_(strlen)(path) + 24);
    VG_(sprintf)(with_number, "%s.%llu", path, part_number + 1);
    VG_(free)(path);
    path = with_number;
  }
  const Int how = !is_apart && is_own_file(path) ? VKI_O_APPEND : VKI_O_TRUNC;
  SysRes opened = VG_(open)(path, VKI_O_CREAT | VKI_O_WRONLY | how, 0600);
  if (sr_isError(opened)) {
    VG_(umsg)("Error: can not open %s: error %lu\n", path, sr_Err(opened)); /* as Callgrind says it */
    VG_(free)(path);
    return;
  }
  file.fd = sr_Res(opened);
  file.failed = False;
  file.sum = 0;
  file.used = 0;
  text_used = 0;

  CountsHead head;
  VG_(memset)(&head, 0, sizeof head);
  head.magic = ICOUNT_COUNTS_MAGIC;
  head.version = 1;
  head.trigger = trigger;
  head.pid = VG_(getpid)();
  head.number = ++part_number;
  head.objects = n_objects;
  head.separate_threads = clo_separate_threads;
  head.command = add_command();
  head.command_bytes = text_used - head.command;
  head.name_bytes = VG_(strlen)(name);
  head.name = add_text(name, head.name_bytes);
  head.begin = part_begin;
  head.end = instructions_ran();

  CountsObject* object = VG_(calloc)("icount.file", n_objects + 1, sizeof *object);
  for (UInt i = 0; i < n_objects; i++) {
    const Object* o = &objects[i];
    object[i].begin = o->begin;
    object[i].end = o->end;
    object[i].bias = o->bias;
    object[i].path_bytes = VG_(strlen)(o->path);
    object[i].path = add_text(o->path, object[i].path_bytes);
    VG_(memcpy)(object[i].build_id, o->build_id, 32);
    object[i].build_id_bytes = o->build_id_bytes;
  }

  ThreadId* with = VG_(malloc)("icount.file", VG_N_THREADS * sizeof *with);
  head.threads = find_thread_banks(with);
  CountsThread* thread = VG_(calloc)("icount.file", head.threads + 1, sizeof *thread);
  CountsPiece** piece = VG_(calloc)("icount.file", head.threads + 1, sizeof *piece);
  CountsEdge** edge = VG_(calloc)("icount.file", head.threads + 1, sizeof *edge);
  ULong bytes = sizeof head + n_objects * sizeof *object + head.threads * sizeof *thread + 8;
  UInt* lengths_at = VG_(calloc)("icount.file", n_pieces + 1, sizeof *lengths_at);
  for (UInt k = 0; k < head.threads; k++) {
    const Bank* b = &threads[with[k]].bank;
    thread[k].thread = with[k];
    for (UInt i = 0; i < n_pieces; i++) thread[k].pieces += piece_count(b, with_running, i) != 0;
    for (UInt i = 0; i < n_edges; i++) {
      const EdgeCount n = edge_count(b, with_running, i);
      thread[k].edges += n.count != 0 || n.inclusive != 0;
    }
    piece[k] = VG_(calloc)("icount.file", thread[k].pieces + 1, sizeof **piece);
    edge[k] = VG_(calloc)("icount.file", thread[k].edges + 1, sizeof **edge);
    CountsPiece* r = piece[k];
    for (UInt i = 0; i < n_pieces; i++) {
      const ULong n = piece_count(b, with_running, i);
      if (!n) continue;
      const Piece* p = piece_at(i);
      r->address = p->first;
      r->block = p->block;
      r->context = p->context;
      r->count = r->left = n;
      if (p->end == kEndsAtSideExit && i + 1 < n_pieces && piece_at(i + 1)->block == p->block &&
          piece_at(i + 1)->first >= p->first && piece_count(b, with_running, i + 1) <= n)
        r->left = n - piece_count(b, with_running, i + 1);
      r->target = p->target;
      r->object = p->object;
      if (!lengths_at[i]) lengths_at[i] = 1 + add_text(p->lengths, p->n);
      r->lengths = lengths_at[i] - 1;
      r->instructions = p->n;
      r->end = p->end;
      r->section = p->section > 2 ? 2 : p->section;
      r->target_object = p->target_object;
      thread[k].total += r->count * p->n;
      r++;
    }
    CountsEdge* f = edge[k];
    for (UInt i = 0; i < n_edges; i++) {
      const EdgeCount n = edge_count(b, with_running, i);
      if (!n.count && !n.inclusive) continue;
      const Edge* e = edge_at(i);
      f->site = e->site->address;
      f->site_block = e->site->block;
      f->site_context = e->context;
      f->to = e->to;
      f->count = n.count;
      f->inclusive = n.inclusive;
      f->site_object = e->site->object;
      f->to_object = e->to_object;
      f->kind = e->kind;
      if (e->kind == kEdgeSkipped) thread[k].total += f->inclusive;
      f++;
    }
    head.total += thread[k].total;
    bytes += thread[k].pieces * sizeof(CountsPiece) + thread[k].edges * sizeof(CountsEdge);
  }
  /* Hooks look for it in the last 160 bytes, as in Callgrind's files (harness/hooks/bench_region.h). */
  HChar totals[200];
  VG_(memset)(totals, ' ', 160);
  add_text(totals, 160 + VG_(sprintf)(totals + 160, "totals: %llu ", head.total));
  while (text_used % 8) add_text(" ", 1);
  head.text_bytes = text_used;
  head.bytes = bytes + text_used;

  put(&head, sizeof head);
  put(object, n_objects * sizeof *object);
  put(thread, head.threads * sizeof *thread);
  for (UInt k = 0; k < head.threads; k++) {
    put(piece[k], thread[k].pieces * sizeof(CountsPiece));
    put(edge[k], thread[k].edges * sizeof(CountsEdge));
    VG_(free)(piece[k]);
    VG_(free)(edge[k]);
  }
  put(text, text_used);
  const ULong sum = file.sum;
  put(&sum, 8);
  flush();
  VG_(close)(file.fd);
  if (file.failed) VG_(umsg)("icount: cannot write all of %s\n", path);
  VG_(free)(object);
  VG_(free)(thread);
  VG_(free)(piece);
  VG_(free)(edge);
  VG_(free)(with);
  VG_(free)(lengths_at);
  VG_(free)(path);
}

/* From now on everything counts from nothing, the calls that are running as well. */
static void begin_anew(void) {
  for (UInt i = 0; i < n_pieces; i++)
    if (*count_at(i)) *count_at(i) = 0;
  for (UInt i = 0; i < n_edges; i++) {
    EdgeCount* n = edge_count_at(i);
    if (n->count || n->inclusive) n->count = n->inclusive = 0;
  }
  for (UInt i = 0; i < VG_N_THREADS; i++) {
    Bank* b = &threads[i].bank;
    if (!b->n_pieces && !b->n_edges) continue;
    VG_(free)(b->pieces);
    VG_(free)(b->edges);
    VG_(memset)(b, 0, sizeof *b);
  }
  if (is_counting)
    threads[running].g = g;
  else
    drop_uncollected();
  for (UInt i = 1; i < VG_N_THREADS; i++) {
    Thread* t = &threads[i];
    for (UInt k = 0; k < t->top; k++) t->frames[k].entered = t->g;
    t->g_begin = t->g;
  }
  part_begin = instructions_ran();
}

/* The calls that are active so far. */
static void charge_active_calls(Thread* t, ULong collected_now) {
  for (UInt k = 0; k < t->top; k++) {
    Frame* f = &t->frames[k];
    if (f->edge) f->edge->now->inclusive += collected_now - f->entered;
    f->entered = collected_now;
  }
}

static void dump(UInt trigger, const HChar* name, Bool ends_stacks) {
  const ThreadId back = running;
  const Bool counted = is_counting;
  if (is_counting)
    threads[running].g = g;
  else
    drop_uncollected();
  if (ends_stacks)
    for (UInt i = 1; i < VG_N_THREADS; i++)
      if (threads[i].is_used && threads[i].top) {
        switch_to(i);
        forget_stack(now());
      }
  if (back != running) switch_to(back);
  if (trigger != kCountsAtEnd)
    for (UInt i = 1; i < VG_N_THREADS; i++)
      if (threads[i].is_used && threads[i].top) {
        if (clo_separate_threads) switch_to(i);
        charge_active_calls(&threads[i], i == running ? collected(&threads[i]) : threads[i].g);
      }
  if (back != running) switch_to(back);
  if (clo_separate_threads || !counted) keep_counts(running, !counted);
  write_part(trigger, name, counted && !clo_separate_threads);
}

static void cut_at_function(const HChar* option, const HChar* function) {
  HChar name[VG_(strlen)(option) + VG_(strlen)(function) + 1];
  VG_(sprintf)(name, "%s%s", option, function);
  dump(kCountsAtFunction, name, False);
  begin_anew();
}

/* In the log of whole programs: what Callgrind says of the program's requests, in its words, and what it cannot say. */
static void say(const HChar* words) {
  if (VG_(clo_verbosity) > 1) VG_(message)(Vg_DebugMsg, "%s", words);
}

static void say_chance(void) {
  HChar words[80] = "icount: chance:";
  for (UInt i = 0; i < sizeof kChance / sizeof *kChance; i++)
    if (chance & (1U << i)) {
      VG_(strcat)(words, " ");
      VG_(strcat)(words, kChance[i]);
    }
  VG_(strcat)(words, "\n");
  if (chance) say(words);
}

static void at_end(Int code) {
  for (UInt i = 0; i < n_edges; i++) edge_at(i)->within = NULL; /* what is active ends nowhere */
  say_chance();
  dump(kCountsAtEnd, "", True);
}

static void in_forked_child(ThreadId tid) {
  part_number = 0;
  is_child = True;
  if (tid != running) switch_to(tid);
  begin_anew();
}

/* The block that ends a thread, the program or a signal's handler is not counted: Callgrind adds a block when the next
   one begins. What lies behind it, in another function perhaps, was not entered. */
static void leave_last_block(ThreadId tid) {
  if (tid != running || !is_counting) return;
  count_last_block(False);
  Thread* t = now();
  for (; t->top && t->frames[t->top - 1].entered > g; t->top--)
    if (t->frames[t->top - 1].edge) t->frames[t->top - 1].edge->now->count--;
}

/* Of a file that was opened. Output that is made anew is the same the next time. */
static UInt chance_of_open(const HChar* path, UWord flags) {
  if (VG_(strcmp)(path, "/dev/urandom") == 0 || VG_(strcmp)(path, "/dev/random") == 0) return kRandom;
  if (VG_(strncmp)(path, "/dev/", 5) == 0 || VG_(strncmp)(path, "/proc/", 6) == 0) return 0;
  const Bool anew = (flags & VKI_O_TRUNC) && !(flags & VKI_O_RDWR);
  return (flags & (VKI_O_WRONLY | VKI_O_RDWR)) && !anew ? kFiles : 0;
}

/* Of a system call that succeeded: its paths could be read. */
static UInt chance_of(UInt number, const UWord* args) {
  switch (number) {
    case __NR_time:
    case __NR_gettimeofday:
    case __NR_clock_gettime:
    case __NR_times:
      return kClock;
    case __NR_getrandom: /* not malloc's: eight bytes, without waiting, that decide nothing */
      return args[1] == 8 && args[2] == 1 ? 0 : kRandom;
    case __NR_getpid:
      return kProcessId;
    case __NR_open:
      return chance_of_open((const HChar*)args[0], args[1]);
    case __NR_openat:
      return chance_of_open((const HChar*)args[1], args[2]);
    case __NR_unlink:
    case __NR_unlinkat:
    case __NR_rename:
    case __NR_renameat:
    case __NR_renameat2:
    case __NR_link:
    case __NR_linkat:
    case __NR_symlink:
    case __NR_symlinkat:
    case __NR_mkdir:
    case __NR_mkdirat:
    case __NR_rmdir:
    case __NR_truncate:
      return kFiles;
    default:
      return 0;
  }
}

static void at_thread_create(ThreadId tid, ThreadId child) {
  if (tid != VG_INVALID_THREADID) chance |= kThreads;
}

static void before_system_call(ThreadId tid, UInt number, UWord* args, UInt n) {
  if (number == __NR_exit || number == __NR_exit_group || number == __NR_rt_sigreturn) leave_last_block(tid);
  if (number != __NR_execve && number != __NR_execveat) return;
  if (tool_folder) VG_(libdir) = tool_folder;
  say_chance();
  /* What follows may be another program; if it fails, the part stands for what ran up to here. */
  dump(kCountsBeforeExec, "", False);
  begin_anew();
}
static void after_system_call(ThreadId tid, UInt number, UWord* args, UInt n, SysRes result) {
  if (tool_folder && (number == __NR_execve || number == __NR_execveat)) VG_(libdir) = rest_folder;
  if (!sr_isError(result)) chance |= chance_of(number, args);
}

static Bool at_request(ThreadId tid, UWord* args, UWord* ret) {
  UWord request = args[0];
  /* The monitor's command writes the counts of all threads, as every part of this tool's does. */
  if (request == VG_USERREQ__GDB_MONITOR_COMMAND && VG_(strncmp)((const HChar*)args[1], "dump", 4) == 0)
    request = VG_USERREQ__DUMP_STATS;
  if (!VG_IS_TOOL_USERREQ('C', 'T', request)) return False;
  if (tid != running) switch_to(tid);
  *ret = 0;
  const Bool was_on = is_instrumenting;
  if (is_counting) count_last_block(False);
  switch (request) {
    case VG_USERREQ__DUMP_STATS:
    case VG_USERREQ__DUMP_STATS_AT:
      dump(kCountsOnRequest, request == VG_USERREQ__DUMP_STATS_AT ? (const HChar*)args[1] : "", False);
      begin_anew();
      break;
    case VG_USERREQ__ZERO_STATS:
      say("  Zeroing costs...\n");
      begin_anew();
      break;
    case VG_USERREQ__TOGGLE_COLLECT:
      threads[tid].collects = !threads[tid].collects;
      set_counting(should_count(tid));
      break;
    case VG_USERREQ__START_INSTRUMENTATION:
      if (is_bare) VG_(discard_translations_safely)(0x1000, ~(SizeT)0xfff, "icount");
      is_bare = False;
      if (!is_counting) drop_uncollected();
      is_instrumenting = True;
      if (!was_on) {
        set_counting(should_count(tid));
        threads[tid].context = VG_(get_IP)(tid);
        threads[tid].g_begin = g;
      }
      break;
    case VG_USERREQ__STOP_INSTRUMENTATION:
      if (was_on)
        for (UInt i = 1; i < VG_N_THREADS; i++)
          if (threads[i].is_used && threads[i].top && (ThreadId)i == tid) forget_stack(&threads[i]);
      if (!is_counting) drop_uncollected();
      is_instrumenting = False;
      set_counting(False);
      say("icount: instrumentation switched OFF\n");
      break;
    default:
      break;
  }
  if (is_counting && was_on) count_last_block(True);
  return True;
}

/* ---------------------------------------------------------------------------------------------------------------- */

static Bool read_option(const HChar* arg) {
  const HChar* function;
  if VG_STR_CLO (arg, "--counts-file", clo_counts_file) {
  } else if VG_BOOL_CLO (arg, "--children-alike", clo_children_alike) {
  } else if (VG_STR_CLO(arg, "--within", function)) {
    if (n_within == MOST_WITHIN) return False;
    clo_within[n_within++] = function;
  } else if VG_BOOL_CLO (arg, "--instr-atstart", clo_instr_atstart) {
  } else if VG_BOOL_CLO (arg, "--collect-atstart", clo_collect_atstart) {
  } else if VG_BOOL_CLO (arg, "--separate-threads", clo_separate_threads) {
  } else if VG_BOOL_CLO (arg, "--collect-jumps", clo_collect_jumps) {
  } else if VG_BOOL_CLO (arg, "--combine-dumps", clo_combine_dumps) {
  } else
    return False;
  return True;
}

static void print_usage(void) {
  VG_(printf)
  ("    --counts-file=FILE          where the counts go [icount.out.%%p]\n"
   "    --instr-atstart=no|yes      count from the start [yes]\n"
   "    --collect-atstart=no|yes    keep what is counted from the start [yes]\n"
   "    --separate-threads=no|yes   each thread by itself [no]\n"
   "    --collect-jumps=no|yes      how often jumps were taken [no]\n"
   "    --combine-dumps=no|yes      parts asked for in one file, rather than in FILE.NUMBER [no]\n"
   "    --children-alike=no|yes     what forked children translate is translated for the next one [no]\n"
   "    --within=FUNCTION           a part ends at the begin and the end of its outermost calls\n");
}
static void print_debug_usage(void) {}

static void after_options(void) {
  threads = VG_(calloc)("icount.threads", VG_N_THREADS, sizeof *threads);
  is_instrumenting = clo_instr_atstart;
  is_bare = !clo_instr_atstart;
  is_counting = False;
  running = VG_INVALID_THREADID;
  if (clo_children_alike) share_translations();
}

static void before_options(void) {
  VG_(details_name)("icount");
  VG_(details_version)(NULL);
  VG_(details_description)("how often every instruction ran, and what calls cost");
  VG_(details_copyright_author)("Copyright (C) 2026 the icount authors, GNU GPL'd");
  VG_(details_bug_reports_to)("icount's authors");
  VG_(details_avg_translation_sizeB)(250);
  VG_(basic_tool_funcs)(after_options, instrument, at_end);
  VG_(needs_command_line_options)(read_option, print_usage, print_debug_usage);
  VG_(needs_client_requests)(at_request);
  VG_(needs_syscall_wrapper)(before_system_call, after_system_call);
  VG_(track_start_client_code)(at_start_client_code);
  VG_(track_stop_client_code)(at_stop_client_code);
  VG_(track_pre_deliver_signal)(at_signal);
  VG_(track_post_deliver_signal)(after_signal);
  VG_(track_pre_thread_ll_create)(at_thread_create);
  VG_(track_pre_thread_ll_exit)(at_thread_exit);
  VG_(track_new_mem_mmap)(at_mmap);
  VG_(track_die_mem_munmap)(at_munmap);
  VG_(track_change_mem_mprotect)(at_mprotect);
  VG_(atfork)(before_fork, NULL, in_forked_child);
  /* Without these two Valgrind runs code that the processor would not, and one instruction twice in a block. */
  VG_(clo_vex_control).guest_chase = False;
  VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
