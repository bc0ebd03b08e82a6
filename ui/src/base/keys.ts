/** Short names of settings, where there is no room for the whole key. The whole one stands where it
 * occurs first. */

const SHORT: Record<string, string> = {
  "dfs.namenode.replication.work.multiplier.per.iteration": "multiplier",
  "dfs.namenode.replication.max-streams": "max-streams",
  "dfs.namenode.replication.max-streams-hard-limit": "hard limit",
  "dfs.heartbeat.interval": "heartbeat",
  "dfs.namenode.redundancy.interval.seconds": "interval",
  "dfs.namenode.reconstruction.pending.timeout-sec": "pending timeout",
};

const KEY = /^[a-z][\w-]*(\.[\w-]+)+$/i;
/** "NIC" stays, "Disk" becomes "disk". */
const lower = (word: string): string =>
  /^[A-Z][A-Z]/.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1);

/** "dfs.heartbeat.interval = 3s" → "heartbeat"; an unknown key keeps its last two parts. */
export function shortName(name: string): string {
  const key = name.split(" = ")[0]?.trim() ?? name;
  if (!KEY.test(key)) return lower(key);
  return SHORT[key] ?? key.split(".").slice(-2).join(".");
}
