/* The creates of Kirii, Tatebe, Ross 2015 on ROSS: clients, servers and switches as LPs. README.md
 * describes the settings; main.rs compiles and runs this file.
 *
 *     hop 0        1              2          3           4            5
 *   client ──► its port ──► server's port ──► server ──► its port ──► client's port ──► client
 */
#include <ross.h>

/* Start-up of a send, transmissions of 512 bytes on the three links, store [ns]. */
static const double STARTUP = 32000, STORE = 500000;
static const double TRANSMISSION[6] = { 3907, 391, 391, 391, 391, 3907 };
/* Bins of the clients' answers: 16 us, 4.3 s in all. */
enum { BINS = 1 << 18, BIN_NS = 1 << 14, MOST_SAVED = 6, FIRST_ROWS = 64 };

static unsigned servers = 8, clients = 352, creates = 100, extra = 1 << 15;
static char setting_name[32] = "ours";

static enum { DOCUMENT, OURS, FOLDED } setting;
enum kind { CLIENT, SERVER, CLIENT_PORT, SERVER_PORT, UNUSED };
enum event { HEAD, RECEIVED, STORED };

/* An entry of the directory. */
struct row {
    uint64_t name, inode;
    uint32_t parent, next; /* next: of this bucket, plus 1 */
};

struct store {
    struct row *rows;
    uint32_t *buckets, count, room;
};

/* When each queue is free [ns]: at a port 0 in, 1 out towards servers, 2 in, 3 out towards clients;
 * at a client or server 4 in, 5 out. A switch (document) has those of all its ports in `queues`. */
struct state {
    enum kind kind;
    uint32_t index;
    double own[6], *queues;
    struct store store;
    double first, last; /* answers of this client */
};

struct saved {
    double *queue, free;
};

struct message {
    uint8_t event, hop, count;
    uint32_t client, number, bin; /* number 0 fetches the directory's list of servers */
    struct saved saved[MOST_SAVED]; /* what a handler changed, for its reversal */
};

static long bins[BINS];
/* When the last client had its first answer, and minus when the first had its last. */
static double edges[2] = { 0, -1e30 };
static unsigned long rows_made;

static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint64_t name_of(const struct message *m)
{
    return mix((uint64_t)m->client << 32 | m->number);
}

/* The directory is spread over all servers by the hash of the name. */
static uint32_t server_of(const struct message *m)
{
    return m->number == 0 ? 0 : (uint32_t)(name_of(m) % servers);
}

/* ---- LPs: each process has an equal share of each kind ---- */

static tw_lpid each_pe(unsigned count) { return count / tw_nnodes(); }

static tw_lpid per_pe(void)
{
    tw_lpid nodes = each_pe(clients) + each_pe(servers);
    return setting == DOCUMENT ? nodes + 2 : setting == OURS ? 2 * nodes : nodes;
}

static tw_lpid lp_of(enum kind kind, uint32_t index)
{
    tw_lpid pes = tw_nnodes(), c = each_pe(clients), s = each_pe(servers);
    if (setting == DOCUMENT && kind >= CLIENT_PORT) { /* the two switches */
        tw_lpid pe = kind == SERVER_PORT && pes > 1;
        return pe * per_pe() + c + s + (kind == SERVER_PORT);
    }
    if (setting == FOLDED && kind >= CLIENT_PORT)
        kind -= CLIENT_PORT;
    tw_lpid before[4] = { 0, c, c + s, 2 * c + s };
    return index % pes * per_pe() + before[kind] + index / pes;
}

static void identify(struct state *s, tw_lpid gid)
{
    tw_lpid c = each_pe(clients), sum = c + each_pe(servers), slot = gid % per_pe();
    tw_lpid node = slot < sum ? slot : slot - sum, is_server = node >= c;
    if (setting == DOCUMENT && slot >= sum) {
        s->kind = CLIENT_PORT + node;
        if (lp_of(s->kind, 0) != gid)
            s->kind = UNUSED;
        return;
    }
    s->kind = is_server + (slot < sum ? CLIENT : CLIENT_PORT);
    s->index = (node - (is_server ? c : 0)) * tw_nnodes() + gid / per_pe();
}

static tw_peid pe_of(tw_lpid gid) { return gid / per_pe(); }

/* ---- The store: rows in order of creation, found by hash ---- */

static void store_chain(struct store *s, uint32_t at)
{
    uint32_t *bucket = &s->buckets[(s->rows[at].name >> 32) % s->room];
    s->rows[at].next = *bucket;
    *bucket = at + 1;
}

static void store_grow(struct store *s)
{
    s->room = s->room ? 2 * s->room : FIRST_ROWS;
    s->rows = realloc(s->rows, s->room * sizeof *s->rows);
    free(s->buckets);
    s->buckets = calloc(s->room, sizeof *s->buckets);
    for (uint32_t i = 0; i < s->count; i++)
        store_chain(s, i);
}

/* False if the name is there. */
static int store_insert(struct store *s, uint64_t name, uint64_t inode)
{
    if (s->count == s->room)
        store_grow(s);
    for (uint32_t i = s->buckets[(name >> 32) % s->room]; i; i = s->rows[i - 1].next)
        if (s->rows[i - 1].name == name)
            return 0;
    s->rows[s->count] = (struct row){ .name = name, .inode = inode, .parent = 1 };
    store_chain(s, s->count++);
    return 1;
}

static void store_remove_last(struct store *s)
{
    struct row *row = &s->rows[--s->count];
    s->buckets[(row->name >> 32) % s->room] = row->next;
}

/* ---- Hops ---- */

/* The queue of a node of this kind: `out` before sending on this hop, else after receiving. */
static double *queue_of(struct state *s, enum kind kind, const struct message *m, int hop, int out)
{
    if (kind < CLIENT_PORT)
        return &s->own[4 + out];
    uint32_t port = kind == CLIENT_PORT ? m->client : server_of(m);
    double *queues = s->queues ? s->queues + 4 * port : s->own;
    return &queues[(hop - out >= 3 ? 2 : 0) + out];
}

static void set_free(struct message *m, double *queue, double free)
{
    m->saved[m->count++] = (struct saved){ queue, *queue };
    *queue = free;
}

/* Schedules an event of this message at `at`. */
static void schedule(tw_lp *lp, tw_lpid to, double at, const struct message *m, int event, int hop)
{
    tw_event *e = tw_event_new(to, at - tw_now(lp), lp);
    struct message *next = tw_event_data(e);
    next->event = event, next->hop = hop, next->client = m->client, next->number = m->number;
    tw_event_send(e);
}

/* Kinds before and after each hop. */
static const enum kind PATH[7] = { CLIENT, CLIENT_PORT, SERVER_PORT, SERVER, SERVER_PORT,
                                   CLIENT_PORT, CLIENT };

static void received(struct state *, tw_bf *, struct message *, tw_lp *, int hop, double at);

/* The head has arrived: when the receiver, as soon as it is free, has the message. */
static double take_in(struct state *s, struct message *m, int hop, double head)
{
    double *in = queue_of(s, PATH[hop + 1], m, hop, 0);
    set_free(m, in, fmax(*in, head) + TRANSMISSION[hop]);
    return *in;
}

/* Sends a message that is ready at this time; its head arrives after the start-up. */
static void send_hop(struct state *s, tw_bf *bf, struct message *m, tw_lp *lp, int hop, double at)
{
    double *out = queue_of(s, PATH[hop], m, hop, 1);
    double head = fmax(*out, at) + STARTUP;
    set_free(m, out, head + TRANSMISSION[hop]);
    enum kind kind = PATH[hop + 1];
    tw_lpid to = lp_of(kind, kind % 2 ? server_of(m) : m->client);
    if (to == lp->gid) /* folded: the next queue is in the same LP */
        received(s, bf, m, lp, hop, take_in(s, m, hop, head));
    else
        schedule(lp, to, head, m, HEAD, hop);
}

/* A whole message is received at this time. */
static void received(struct state *s, tw_bf *bf, struct message *m, tw_lp *lp, int hop, double at)
{
    if (hop == 5) { /* the client's answer */
        s->first = m->number == 0 ? at : s->first;
        s->last = at;
        m->bin = fmin(at / BIN_NS, BINS - 1);
        bf->c1 = m->number > 0, bins[m->bin] += bf->c1;
        if (m->number < creates) {
            bf->c2 = 1, m->number++;
            send_hop(s, bf, m, lp, 0, at);
        }
    } else if (hop == 2 && m->number > 0) {
        bf->c0 = store_insert(&s->store, name_of(m), (uint64_t)s->index << 32 | s->store.count);
        /* Server 0 also has fetches, which overtake writes in the store: there an event orders. */
        if (setting == FOLDED && s->index > 0)
            send_hop(s, bf, m, lp, 3, at + STORE);
        else
            schedule(lp, lp->gid, at + STORE, m, STORED, 3);
    } else
        send_hop(s, bf, m, lp, hop + 1, at);
}

/* ---- Handlers ---- */

static void init(struct state *s, tw_lp *lp)
{
    memset(s, 0, sizeof *s);
    identify(s, lp->gid);
    if (setting == DOCUMENT && (s->kind == CLIENT_PORT || s->kind == SERVER_PORT))
        s->queues = calloc(s->kind == CLIENT_PORT ? clients : servers, 4 * sizeof(double));
    struct message first = { .client = s->index };
    if (s->kind == CLIENT)
        schedule(lp, lp->gid, STORE, &first, STORED, 0);
}

static void handle(struct state *s, tw_bf *bf, struct message *m, tw_lp *lp)
{
    m->count = m->bin = bf->c0 = bf->c1 = bf->c2 = 0;
    double now = tw_now(lp), done = m->event == HEAD ? take_in(s, m, m->hop, now) : now;
    if (m->event == STORED)
        send_hop(s, bf, m, lp, m->hop, now);
    else if (m->event == HEAD && setting == DOCUMENT)
        schedule(lp, lp->gid, done, m, RECEIVED, m->hop);
    else
        received(s, bf, m, lp, m->hop, done);
}

static void reverse(struct state *s, tw_bf *bf, struct message *m, tw_lp *lp)
{
    (void)lp;
    for (; m->count > 0; m->count--)
        *m->saved[m->count - 1].queue = m->saved[m->count - 1].free;
    if (bf->c0)
        store_remove_last(&s->store);
    bins[m->bin] -= bf->c1;
    m->number -= bf->c2;
}

static void finish(struct state *s, tw_lp *lp __attribute__((unused)))
{
    rows_made += s->store.count;
    if (s->kind == CLIENT) {
        edges[0] = fmax(edges[0], s->first);
        edges[1] = fmax(edges[1], -s->last);
    }
}

/* Creates per simulated second while all clients are active; the same on each process. */
static double rate(void)
{
    MPI_Allreduce(MPI_IN_PLACE, bins, BINS, MPI_LONG, MPI_SUM, MPI_COMM_ROSS);
    MPI_Allreduce(MPI_IN_PLACE, edges, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_ROSS);
    MPI_Allreduce(MPI_IN_PLACE, &rows_made, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_ROSS);
    long from = edges[0] / BIN_NS + 1, to = -edges[1] / BIN_NS, count = 0;
    for (long bin = from; bin < to && bin < BINS - 1; bin++)
        count += bins[bin];
    return to > from && to < BINS ? count / ((to - from) * BIN_NS * 1e-9) : 0;
}

static tw_lptype TYPE[] = { { (init_f)init, NULL, (event_f)handle, (revent_f)reverse, NULL,
                              (final_f)finish, pe_of, sizeof(struct state) }, { 0 } };
static const tw_optdef OPTIONS[] = {
    TWOPT_GROUP("PPMDS creates"), TWOPT_UINT("servers", servers, "servers"),
    TWOPT_UINT("clients", clients, "clients"), TWOPT_UINT("creates", creates, "of a client"),
    TWOPT_CHAR("setting", setting_name, "document, ours or folded"),
    TWOPT_UINT("buffers", extra, "event buffers beyond the pending ones"), TWOPT_END() };

int main(int argc, char **argv)
{
    tw_opt_add(OPTIONS);
    tw_init(&argc, &argv);
    setting = strcmp(setting_name, "document") == 0 ? DOCUMENT
              : strcmp(setting_name, "ours") == 0   ? OURS : FOLDED;
    if (clients % tw_nnodes() || servers % tw_nnodes())
        tw_error(TW_LOC, "clients and servers must be multiples of the processes");
    const double lookahead[] = { TRANSMISSION[1], STARTUP, 2 * STARTUP };
    g_tw_lookahead = lookahead[setting];
    g_tw_ts_end = 1e15;
    g_tw_events_per_pe = 2 * clients / tw_nnodes() + extra;
    int used = setting == FOLDED ? 6 : 2;
    tw_define_lps(per_pe(), offsetof(struct message, saved) + used * sizeof(struct saved));
    for (tw_lpid i = 0; i < g_tw_nlp; i++)
        tw_lp_settype(i, TYPE);
    tw_run();
    double simulated = rate();
    if (tw_ismaster())
        printf("\nsimulated %.0f\nrows %lu\n", simulated, rows_made);
    tw_end();
    return rows_made != (unsigned long)clients * creates;
}
