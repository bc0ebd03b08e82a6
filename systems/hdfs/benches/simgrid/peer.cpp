// The re-replication of a transfer list on SimGrid: what Tenbin's fluid solver is held against.
//
// peer LIST SECONDS [--cfg=...]
//
// A copy is one flow over source disk, NIC out, NIC in, target disk; a disk is one link that reads
// and writes share. Each source has as many streams as the list says; when one of its copies ends,
// its next in the list begins. Ends after SECONDS of CPU time.
//
// Writes a line `start end` [s] for each copy that ended, in the order of the list (`-` for one
// that did not), then `cpu` and `copies`: CPU seconds between the first end and the last one, and
// how many copies ended in between.
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace s4u = simgrid::s4u;

struct Copy {
  int source, target;
  uint64_t bytes;
  double start = -1, end = -1;
};

struct List {
  // Rates [bytes/s], latencies [ns].
  std::map<std::string, double> head;
  std::vector<Copy> copies;
  // By node: its copies, in their order.
  std::vector<std::vector<size_t>> queue;
};

static List read(const char* path)
{
  std::ifstream in(path);
  List list;
  std::string key;
  double value;
  while (in >> key && key != "copies") {
    in >> value;
    list.head[key] = value;
  }
  list.queue.resize(list.head["nodes"]);
  Copy copy;
  while (in >> copy.source >> copy.target >> copy.bytes) {
    list.queue[copy.source].push_back(list.copies.size());
    list.copies.push_back(copy);
  }
  if (list.copies.empty() || not in.eof()) {
    std::cerr << path << ": no list of copies\n";
    exit(2);
  }
  return list;
}

static double cpu_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

using Hosts = std::vector<s4u::Host*>;

// Half of a hop's latency stands at each NIC, so that a copy inside a rack sees it once.
static void add_node(s4u::NetZone* rack, int number, List& list, Hosts& hosts)
{
  std::string name = std::to_string(number);
  auto* host = rack->create_host("dn" + name, 1e9);
  double half = list.head["latency"] * 1e-9 / 2;
  auto* disk = rack->create_link("disk" + name, list.head["disk"])->seal();
  auto* out  = rack->create_link("out" + name, list.head["nic"])->set_latency(half)->seal();
  auto* in   = rack->create_link("in" + name, list.head["nic"])->set_latency(half)->seal();
  using Route = std::vector<s4u::LinkInRoute>;
  Route up{s4u::LinkInRoute(disk), s4u::LinkInRoute(out)};
  Route down{s4u::LinkInRoute(in), s4u::LinkInRoute(disk)};
  rack->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, up, false);
  rack->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, down, false);
  hosts.push_back(host);
}

// Racks in a row, the first half of the nodes in the first one; two are joined by one link.
static Hosts build(List& list)
{
  int nodes = list.head["nodes"], racks = list.head["racks"];
  auto* root = s4u::create_full_zone("cluster");
  std::vector<s4u::NetZone*> zones;
  std::vector<simgrid::kernel::routing::NetPoint*> switches;
  Hosts hosts;
  for (int rack = 0; rack < racks; rack++) {
    auto* zone = s4u::create_star_zone("rack" + std::to_string(rack));
    zone->set_parent(root);
    switches.push_back(zone->create_router("switch" + std::to_string(rack)));
    for (int i = rack * nodes / racks; i < (rack + 1) * nodes / racks; i++)
      add_node(zone, i, list, hosts);
    zone->seal();
    zones.push_back(zone);
  }
  if (racks == 2) {
    auto* link = root->create_link("link", list.head["link"]);
    link->set_latency(list.head["link_latency"] * 1e-9)->seal();
    root->add_route(zones[0]->get_netpoint(), zones[1]->get_netpoint(), switches[0], switches[1],
                    {s4u::LinkInRoute(link)}, true);
  }
  root->seal();
  return hosts;
}

struct Clock {
  double limit, first = -1, last = -1;
  size_t ended = 0;
  // Whether there is time left.
  bool tick()
  {
    last = cpu_seconds();
    if (first < 0)
      first = last;
    ended++;
    return last - first < limit;
  }
};

static void write(const List& list, const Clock& clock)
{
  for (auto const& copy : list.copies)
    if (copy.end < 0)
      puts("-");
    else
      printf("%.9f %.9f\n", copy.start, copy.end);
  printf("cpu %.6f\ncopies %zu\n", clock.last - clock.first, clock.ended - 1);
  fflush(stdout);
}

int main(int argc, char** argv)
{
  s4u::Engine engine(&argc, argv);
  if (argc != 3) {
    std::cerr << "usage: peer LIST SECONDS [--cfg=KEY:VALUE]\n";
    return 2;
  }
  List list   = read(argv[1]);
  Hosts hosts = build(list);
  Clock clock{atof(argv[2])};
  std::vector<size_t> next(list.queue.size());
  auto stream = [&](size_t node) {
    while (next[node] < list.queue[node].size()) {
      Copy& copy = list.copies[list.queue[node][next[node]++]];
      copy.start = s4u::Engine::get_clock();
      s4u::Comm::sendto(hosts[copy.source], hosts[copy.target], copy.bytes);
      copy.end = s4u::Engine::get_clock();
      if (not clock.tick()) {
        write(list, clock);
        // Ending tens of thousands of actors in order is nothing to wait for.
        _exit(0);
      }
    }
  };
  for (size_t node = 0; node < list.queue.size(); node++)
    for (int i = 0; i < list.head["streams"]; i++)
      s4u::Actor::create("stream", hosts[node], stream, node);
  engine.run();
  write(list, clock);
}
