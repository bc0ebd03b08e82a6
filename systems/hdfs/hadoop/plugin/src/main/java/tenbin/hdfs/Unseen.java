package tenbin.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Open nodes that a pass has not seen: taken out one by one, all put back at once. A sparse set
 * for each rack: of its part of {@code order} the first {@code left} are unseen, those behind them
 * up to {@code kept} seen, the rest gone for good.
 */
final class Unseen {
  private final int[] order;
  /** By node: its place in {@code order}; -1 for those that are not open. */
  private final int[] place;
  private final int[] rackOf;
  /** By rack: where its part begins. */
  private final int[] start;
  private int[] left;
  private int[] kept;
  /** Racks with unseen nodes. */
  private final List<Integer> racks = new ArrayList<>();

  Unseen(int[][] open, int nodes) {
    order = Arrays.stream(open).flatMapToInt(Arrays::stream).toArray();
    place = new int[nodes];
    Arrays.fill(place, -1);
    rackOf = new int[nodes];
    start = new int[open.length];
    kept = Arrays.stream(open).mapToInt(rack -> rack.length).toArray();
    left = kept.clone();
    int at = 0;
    for (int rack = 0; rack < open.length; rack++) {
      start[rack] = at;
      for (int node : open[rack]) {
        rackOf[node] = rack;
        place[node] = at++;
      }
    }
  }

  /** A new pass: what is not gone is unseen. */
  void restart() {
    left = kept.clone();
    racks.clear();
    for (int rack = 0; rack < kept.length; rack++) {
      if (kept[rack] > 0) {
        racks.add(rack);
      }
    }
  }

  /** What the pass has seen is gone for good. */
  void keep() {
    kept = left.clone();
  }

  /** Takes a node out, if it is in. */
  void remove(int node) {
    int rack = rackOf[node];
    int end = start[rack] + left[rack];
    if (place[node] >= 0 && place[node] < end) {
      swap(place[node], end - 1);
      left[rack]--;
    }
  }

  /** Puts a node back in, if it is open. */
  void putBack(int node) {
    if (place[node] < 0) {
      return;
    }
    int rack = rackOf[node];
    if (left[rack] == 0) {
      racks.add(rack);
    }
    swap(place[node], start[rack] + left[rack]);
    left[rack]++;
  }

  private void swap(int one, int other) {
    int moved = order[one];
    order[one] = order[other];
    order[other] = moved;
    place[order[one]] = one;
    place[order[other]] = other;
  }

  /** One that may receive {@code copy}, or -1. */
  int next(Ends copy) {
    for (int at = racks.size() - 1; at >= 0; at--) {
      int rack = racks.get(at);
      if (left[rack] == 0) {
        int last = racks.remove(racks.size() - 1);
        if (at < racks.size()) {
          racks.set(at, last);
        }
        continue;
      }
      for (int i = start[rack]; rack != copy.barred && i < start[rack] + left[rack]; i++) {
        if (!copy.isTaken(order[i])) {
          return order[i];
        }
      }
    }
    return -1;
  }
}
