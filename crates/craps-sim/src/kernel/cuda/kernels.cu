// Sessions on a graphics card: one thread a session, the same dice and the same tables as on a
// processor, and the same whole numbers.
//
// `rich` walks sessions while every ask can be paid. A word is the equity above the brink in its
// high half and the row in its low half; a session whose equity has fallen below nothing, or comes
// near a stop above, is suspended as it was before the block. `edge` plays suspended sessions to
// their end with a look at every threshold, and takes up the next as soon as one is over.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

#define BLOCK 16
#define REASONS 6
#define TIME 5
#define NO_ROLL 0

// What a launch plays. The same struct stands in cuda.rs.
struct Game {
    u64 first;      // the number of the first session
    u32 keys[20];   // Philox's, round by round
    u32 count;      // the sessions
    u32 per_block;  // of which a block of threads plays so many
    u32 rolls;      // the length of a session
    int cell;       // where the equity stands at the start
    u32 start;      // the word it starts with
    int brink;      // the cell a word's equity counts from
    int guard;      // equities above this are suspended
    u32 stop;       // and words that have been here, where there is a stop above
    u32 rows;       // rich rows
    int least;      // the cell that the first count counts
    u32 cells;      // the cells that are counted
    u32 near;       // of which so many are counted close by
    u32 edges;      // the entries of the edges
    u32 pieces;     // and of the pieces
    u32 position;   // where it starts
    int high;       // from this cell on a stop may be reached
};

// What a roll does, and what follows with enough money: from `from` cells above the least on the
// position `next`. Below, and from `high` on, the pieces say.
struct Edge {
    int change;
    u32 from, next, piece;
};

// In the smallest form that all edges of a plan fit into.
struct Narrow { u64 bits; };
struct Wide { int change; u32 from, next, piece; };
__device__ __forceinline__ Edge read(const Narrow* at) {
    const u64 bits = at->bits;
    Edge edge;
    edge.change = (int)(u32)(bits >> 32) >> 18;
    edge.from = (u32)(bits >> 36) & 0x3FFFu;
    edge.next = (u32)(bits >> 19) & 0x1FFFFu;
    edge.piece = (u32)bits & 0x7FFFFu;
    return edge;
}
__device__ __forceinline__ Edge read(const Wide* at) {
    const int4 wide = __ldg((const int4*)at);
    Edge edge;
    edge.change = wide.x;
    edge.from = (u32)wide.y;
    edge.next = (u32)wide.z;
    edge.piece = (u32)wide.w;
    return edge;
}
struct Piece { int from; u32 then; };

__device__ __forceinline__ void throw_block(const Game& game, u64 session, u32 block, u32 word[4]) {
    u32 a = (u32)session, b = (u32)(session >> 32), c = block, d = 0;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        u32 low = 0xD2511F53u * a, high = __umulhi(0xD2511F53u, a);
        u32 low2 = 0xCD9E8D57u * c, high2 = __umulhi(0xCD9E8D57u, c);
        a = high2 ^ b ^ game.keys[2 * round];
        b = low2;
        c = high ^ d ^ game.keys[2 * round + 1];
        d = low;
    }
    word[0] = a; word[1] = b; word[2] = c; word[3] = d;
}

// How a table of rich rows is looked up: by the byte itself with few rows, by the byte, by its
// symbol, and by its symbol where the table does not fit into shared memory.
#define NARROW 0
#define BYTES 1
#define SYMBOLS 2
#define FAR 3

// A word's row, its equity above the brink, and the bytes that were no roll, which only tables by
// the byte count.
template <int LOOKUP> struct Word;
template <> struct Word<NARROW> {
    static __device__ __forceinline__ u32 row(u32 word) { return word >> 24; }
    static __device__ __forceinline__ int equity(u32 word) { return (int)(word << 8) >> 16; }
    static const u32 fell = 1u << 23;
};
template <> struct Word<BYTES> {
    static __device__ __forceinline__ u32 row(u32 word) { return (word >> 8) & 255u; }
    static __device__ __forceinline__ int equity(u32 word) { return (int)word >> 16; }
    static const u32 fell = 1u << 31;
};
template <> struct Word<SYMBOLS> {
    static __device__ __forceinline__ u32 row(u32 word) { return (word & 0xFFFFu) >> 4; }
    static __device__ __forceinline__ int equity(u32 word) { return (int)word >> 16; }
    static const u32 fell = 1u << 31;
};
template <> struct Word<FAR> : Word<SYMBOLS> {};

template <int LOOKUP, bool STOP>
__device__ __forceinline__ void rich(
    const Game& game, const u32* table, const u32* symbols, const u32* positions,
    u64* finals, uint4* queue, u32* queue_rolls, u32* queued) {
    const bool by_byte = LOOKUP == NARROW || LOOKUP == BYTES;
    extern __shared__ u32 memory[];
    const u32 entries = LOOKUP == FAR ? 0 : game.rows * (by_byte ? 256 : 16);
    u32* map = memory;
    u32* words = map + (by_byte ? 0 : 256 * 32);
    u32* near = words + entries;
    if (!by_byte)
        for (u32 i = threadIdx.x; i < 256 * 32; i += blockDim.x) map[i] = symbols[i / 32];
    for (u32 i = threadIdx.x; i < game.near; i += blockDim.x) near[i] = 0;
    if (LOOKUP != FAR)
        for (u32 i = threadIdx.x; i < entries; i += blockDim.x) words[i] = table[i];
    __shared__ u32 waiting;
    if (threadIdx.x == 0) waiting = 0;
    __syncthreads();
    const u32 lane = threadIdx.x & 31;
    const u32 whole = game.rolls / BLOCK;
    const u32 begin = blockIdx.x * game.per_block;
    const u32 end = min(begin + game.per_block, game.count);
    for (u32 index = begin + threadIdx.x; index < end; index += blockDim.x) {
        const u64 session = game.first + index;
        u32 now = game.start, none = 0, block = 0;
        u32 before = now, none_before = 0;
        bool suspended = false;
        #define STEP(k) { \
            u32 place; \
            if (LOOKUP == NARROW) \
                /* The byte, then the row, then its sign, which is nothing, twice. */ \
                asm("prmt.b32 %0, %1, %2, %3;" \
                    : "=r"(place) : "r"(now), "r"(word[(k) / 4]), "r"(0xBB34 + (k) % 4)); \
            else { \
                const u32 byte = (word[(k) / 4] >> (8 * ((k) % 4))) & 255u; \
                if (by_byte) place = (now & 0xFF00u) | byte; \
                else { \
                    const u32 symbol = map[byte * 32 + lane]; \
                    none += symbol == NO_ROLL; \
                    place = (now & 0xFFFFu) + symbol; \
                } \
            } \
            now += LOOKUP == FAR ? __ldg(&table[place]) : words[place]; \
            signs |= now; \
            if (STOP) top = max(top, now); \
        }
        #define LEFT ((signs & Word<LOOKUP>::fell) || Word<LOOKUP>::equity(now) > game.guard \
            || (STOP && top >= game.stop))
        for (; block < whole; ++block) {
            u32 word[4];
            throw_block(game, session, block, word);
            before = now;
            none_before = none;
            u32 signs = 0, top = 0;
#pragma unroll
            for (int k = 0; k < BLOCK; ++k) STEP(k)
            if (LEFT) {
                suspended = true;
                break;
            }
            if (by_byte) {
                none += now & 255u;
                now &= ~255u;
            }
        }
        u32 rolls = block * BLOCK - none;
        // What is left of the rolls, looked at one by one.
        while (!suspended && rolls < game.rolls) {
            u32 word[4];
            throw_block(game, session, block, word);
            before = now;
            none_before = none;
            u32 signs = 0, top = 0;
#pragma unroll
            for (int k = 0; k < BLOCK; ++k) {
                if (rolls < game.rolls) {
                    const u32 was = by_byte ? now & 255u : none;
                    STEP(k)
                    rolls += (by_byte ? now & 255u : none) == was;
                }
            }
            if (LEFT) {
                suspended = true;
                break;
            }
            if (by_byte) {
                none += now & 255u;
                now &= ~255u;
            }
            ++block;
        }
        #undef STEP
        #undef LEFT
        if (suspended) {
            const u32 place = begin + atomicAdd(&waiting, 1u);
            queue[place] = make_uint4(index, block, positions[Word<LOOKUP>::row(before)],
                                      (u32)(game.brink + Word<LOOKUP>::equity(before)));
            queue_rolls[place] = block * BLOCK - none_before;
        } else {
            const u32 place = (u32)(game.brink + Word<LOOKUP>::equity(now) - game.least);
            if (place < game.near) atomicAdd(&near[place], 1u);
            else atomicAdd(&finals[(u64)TIME * game.cells + place], 1ull);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < game.near; i += blockDim.x)
        if (near[i]) atomicAdd(&finals[(u64)TIME * game.cells + i], (u64)near[i]);
    if (threadIdx.x == 0) queued[blockIdx.x] = waiting;
}

#define RICH(name, LOOKUP, STOP) \
    extern "C" __global__ void __launch_bounds__(1024, 2) name( \
        const Game game, const u32* table, const u32* symbols, const u32* positions, \
        u64* finals, uint4* queue, u32* queue_rolls, u32* queued) { \
        rich<LOOKUP, STOP>( \
            game, table, symbols, positions, finals, queue, queue_rolls, queued); \
    }
RICH(rich_narrow, NARROW, false)
RICH(rich_bytes, BYTES, false)
RICH(rich_bytes_stop, BYTES, true)
RICH(rich_symbols, SYMBOLS, false)
RICH(rich_symbols_stop, SYMBOLS, true)
RICH(rich_far, FAR, false)
RICH(rich_far_stop, FAR, true)

// Everybody waits from the start, where no row is rich.
extern "C" __global__ void begin(const Game game, uint4* queue, u32* queue_rolls, u32* queued) {
    const u32 first = blockIdx.x * game.per_block;
    const u32 end = min(first + game.per_block, game.count);
    for (u32 index = first + threadIdx.x; index < end; index += blockDim.x) {
        queue[index] = make_uint4(index, 0, game.position, (u32)game.cell);
        queue_rolls[index] = 0;
    }
    if (threadIdx.x == 0) queued[blockIdx.x] = end > first ? end - first : 0;
}

template <typename EDGE, bool SHARED>
__device__ __forceinline__ void edge(
    const Game& game, const EDGE* edges, const Piece* pieces, const u32* symbols,
    const uint4* queue, const u32* queue_rolls, const u32* queued, u64* finals, u64* lasted) {
    extern __shared__ u32 memory[];
    u8* map = (u8*)memory;
    // Counts close by: the cells of every reason, then the rolls of every reason.
    u32* near = memory + 64;
    const u32 near_cells = REASONS * game.near;
    const u32 near_rolls = game.near ? REASONS * (game.rolls + 1) : 0;
    EDGE* edges_here = (EDGE*)(near + ((near_cells + near_rolls + 1) & ~1u));
    Piece* pieces_here = (Piece*)(edges_here + game.edges);
    __shared__ u32 next;
    for (u32 i = threadIdx.x; i < 256; i += blockDim.x) map[i] = (u8)symbols[i];
    for (u32 i = threadIdx.x; i < near_cells + near_rolls; i += blockDim.x) near[i] = 0;
    if (SHARED) {
        for (u32 i = threadIdx.x; i < game.edges; i += blockDim.x) edges_here[i] = edges[i];
        for (u32 i = threadIdx.x; i < game.pieces; i += blockDim.x) pieces_here[i] = pieces[i];
    }
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    const EDGE* edge_at = SHARED ? edges_here : edges;
    const Piece* piece_at = SHARED ? pieces_here : pieces;
    const u32 begin = blockIdx.x * game.per_block;
    const u32 waiting = queued[blockIdx.x];
    bool playing = false;
    u64 session = 0;
    u32 block = 0, position = 0, rolls = 0;
    int cell = 0;
    for (;;) {
        if (!playing) {
            const u32 place = atomicAdd(&next, 1u);
            if (place >= waiting) break;
            const uint4 from = queue[begin + place];
            session = game.first + from.x;
            block = from.y;
            position = from.z;
            cell = (int)from.w;
            rolls = queue_rolls[begin + place];
            playing = true;
        }
        u32 word[4];
        throw_block(game, session, block, word);
        ++block;
        u32 reason = TIME;
#pragma unroll
        for (int k = 0; k < BLOCK; ++k) {
            const u32 symbol = map[(word[k / 4] >> (8 * (k % 4))) & 255u];
            if (playing && symbol != NO_ROLL) {
                const Edge step = read(edge_at + position * 16 + symbol);
                cell += step.change;
                ++rolls;
                if ((u32)(cell - game.least) >= step.from && cell < game.high) {
                    position = step.next;
                    playing = rolls < game.rolls;
                } else {
                    u32 at = step.piece;
                    Piece piece = piece_at[at];
                    while (cell < piece.from) piece = piece_at[++at];
                    if (piece.then >> 31) {
                        playing = false;
                        reason = piece.then & 0xFFu;
                    } else {
                        position = piece.then;
                        playing = rolls < game.rolls;
                    }
                }
            }
        }
        if (!playing) {
            const u32 place = (u32)(cell - game.least);
            if (place < game.near) {
                atomicAdd(&near[reason * game.near + place], 1u);
            } else {
                atomicAdd(&finals[(u64)reason * game.cells + place], 1ull);
            }
            if (near_rolls) atomicAdd(&near[near_cells + reason * (game.rolls + 1) + rolls], 1u);
            else atomicAdd(&lasted[(u64)reason * (game.rolls + 1) + rolls], 1ull);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < near_cells; i += blockDim.x)
        if (near[i]) atomicAdd(&finals[(u64)(i / game.near) * game.cells + i % game.near], (u64)near[i]);
    for (u32 i = threadIdx.x; i < near_rolls; i += blockDim.x)
        if (near[near_cells + i]) atomicAdd(&lasted[i], (u64)near[near_cells + i]);
}

#define PLAY(name, EDGE, SHARED) \
    extern "C" __global__ void __launch_bounds__(1024, 2) name( \
        const Game game, const EDGE* edges, const Piece* pieces, const u32* symbols, \
        const uint4* queue, const u32* queue_rolls, const u32* queued, u64* finals, u64* lasted) { \
        edge<EDGE, SHARED>( \
            game, edges, pieces, symbols, queue, queue_rolls, queued, finals, lasted); \
    }
PLAY(edge_here, Narrow, true)
PLAY(edge_far, Narrow, false)
PLAY(edge_wide, Wide, false)
