/** A directed graph by the successors of each node. */
export interface Digraph {
  readonly nodes: Iterable<string>;
  successors(id: string): Iterable<string>;
}

/**
 * Immediate dominators: for each node reachable from the entry, the last node before it that every path from the entry
 * passes. The entry's own and those of unreachable nodes are absent.
 *
 * Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): passes over the nodes in reverse postorder
 * until nothing changes.
 */
export function immediateDominators(graph: Digraph, entry: string): ReadonlyMap<string, string> {
  const order = reversePostorder(graph, entry);
  const position = new Map(order.map((id, index) => [id, index]));
  const predecessors = new Map<number, number[]>();
  for (const [index, id] of order.entries()) {
    for (const successor of graph.successors(id)) {
      const to = position.get(successor);
      if (to === undefined) continue;
      const list = predecessors.get(to);
      if (list === undefined) predecessors.set(to, [index]);
      else list.push(index);
    }
  }

  const dominator: (number | undefined)[] = [0];
  const intersect = (left: number, right: number): number => {
    let [a, b] = [left, right];
    while (a !== b) {
      while (a > b) a = dominator[a] ?? 0;
      while (b > a) b = dominator[b] ?? 0;
    }
    return a;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let index = 1; index < order.length; index += 1) {
      let found: number | undefined;
      for (const predecessor of predecessors.get(index) ?? []) {
        if (dominator[predecessor] === undefined) continue;
        found = found === undefined ? predecessor : intersect(predecessor, found);
      }
      if (found === undefined || dominator[index] === found) continue;
      dominator[index] = found;
      changed = true;
    }
  }

  const result = new Map<string, string>();
  for (const [index, id] of order.entries()) {
    const above = dominator[index];
    const aboveId = above === undefined ? undefined : order[above];
    if (index > 0 && aboveId !== undefined) result.set(id, aboveId);
  }
  return result;
}

/** Depth first without recursion: models may be long. */
function reversePostorder(graph: Digraph, entry: string): string[] {
  const seen = new Set([entry]);
  const order: string[] = [];
  const stack = [{ id: entry, rest: graph.successors(entry)[Symbol.iterator]() }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.next();
    if (next.done === true) {
      order.push(top.id);
      stack.pop();
    } else if (!seen.has(next.value)) {
      seen.add(next.value);
      stack.push({ id: next.value, rest: graph.successors(next.value)[Symbol.iterator]() });
    }
  }
  return order.reverse();
}

/** Nodes on the paths from one node to another that pass neither of the two in between; without both. */
export function nodesBetween(graph: Digraph, from: string, to: string): ReadonlySet<string> {
  const forward = reach((id) => graph.successors(id), from, to);
  const predecessors = new Map<string, string[]>();
  for (const id of graph.nodes) {
    for (const successor of graph.successors(id)) {
      const list = predecessors.get(successor);
      if (list === undefined) predecessors.set(successor, [id]);
      else list.push(id);
    }
  }
  const backward = reach((id) => predecessors.get(id) ?? [], to, from);
  return new Set([...forward].filter((id) => backward.has(id)));
}

/** All nodes reached from one, without passing the other; without both. */
function reach(next: (id: string) => Iterable<string>, from: string, stop: string): Set<string> {
  const found = new Set<string>();
  const pending = [from];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const neighbour of next(id)) {
      if (neighbour === stop || neighbour === from || found.has(neighbour)) continue;
      found.add(neighbour);
      pending.push(neighbour);
    }
  }
  return found;
}

/** Whether a path of at least one step leads from one node to another. */
export function leadsTo(graph: Digraph, from: string, to: string): boolean {
  const seen = new Set<string>();
  const pending = [from];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const neighbour of graph.successors(id)) {
      if (neighbour === to) return true;
      if (seen.has(neighbour)) continue;
      seen.add(neighbour);
      pending.push(neighbour);
    }
  }
  return false;
}
