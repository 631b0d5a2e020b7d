/**
 * Graph of the flow nodes of one scope. Nodes are numbered in document order, so that repeated traversals are cheap.
 */
export class FlowGraph {
  readonly #indexById: ReadonlyMap<string, number>;
  readonly #ids: readonly string[];
  readonly #successors: readonly (readonly number[])[];
  readonly #predecessors: readonly (readonly number[])[];
  // The id of the last traversal that reached each node: marks need not be cleared between traversals.
  readonly #forwardMarks: Int32Array;
  readonly #backwardMarks: Int32Array;
  #traversalId = 0;

  constructor(ids: Iterable<string>, getSuccessors: (id: string) => Iterable<string>) {
    this.#ids = [...ids];
    const numbers = new Map(this.#ids.map((id, index) => [id, index]));
    this.#indexById = numbers;
    this.#successors = this.#ids.map((id) =>
      [...getSuccessors(id)].map((target) => numbers.get(target)).filter((target) => target !== undefined),
    );
    const predecessors: number[][] = this.#ids.map(() => []);
    for (const [index, targets] of this.#successors.entries())
      for (const target of targets) predecessors[target]?.push(index);
    this.#predecessors = predecessors;
    this.#forwardMarks = new Int32Array(this.#ids.length);
    this.#backwardMarks = new Int32Array(this.#ids.length);
  }

  /** Returns the inner nodes of all paths from one node to another. Neither of the two occurs within such a path. */
  findNodesBetween(from: string, to: string): readonly string[] {
    const start = this.#indexById.get(from);
    const end = this.#indexById.get(to);
    if (start === undefined || end === undefined) return [];
    this.#traversalId += 1;
    const reached = this.#markReachable(this.#successors, this.#forwardMarks, start, end);
    this.#markReachable(this.#predecessors, this.#backwardMarks, end, start);
    return this.#toIds(reached.filter((node) => this.#backwardMarks[node] === this.#traversalId));
  }

  /** Returns whether a path leads from one node to another. */
  hasPath(from: string, to: string): boolean {
    const start = this.#indexById.get(from);
    const end = this.#indexById.get(to);
    if (start === undefined || end === undefined) return false;
    this.#traversalId += 1;
    return this.#markReachable(this.#successors, this.#forwardMarks, start, -1).includes(end);
  }

  /** Marks and returns all nodes reachable from `from` on paths that do not pass `stop`, without these two nodes. */
  #markReachable(next: readonly (readonly number[])[], marks: Int32Array, from: number, stop: number): number[] {
    const found: number[] = [];
    for (let node: number | undefined = from, index = 0; node !== undefined; node = found[index], index += 1) {
      for (const neighbour of next[node] ?? []) {
        if (neighbour === stop || neighbour === from || marks[neighbour] === this.#traversalId) continue;
        marks[neighbour] = this.#traversalId;
        found.push(neighbour);
      }
    }
    return found;
  }

  #toIds(numbers: readonly number[]): readonly string[] {
    return numbers.map((number) => this.#ids[number]).filter((id) => id !== undefined);
  }

  /**
   * Returns the immediate dominators: for each node reachable from the entry, the last node before it that every path
   * from the entry passes. The entry and unreachable nodes have none.
   *
   * Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): passes over the nodes in reverse postorder
   * until nothing changes.
   */
  computeImmediateDominators(entry: string): ReadonlyMap<string, string> {
    const root = this.#indexById.get(entry);
    if (root === undefined) return new Map();
    const order = this.#reversePostorder(root);
    const position = new Int32Array(this.#ids.length).fill(-1);
    for (const [index, node] of order.entries()) position[node] = index;

    const dominator = new Int32Array(order.length).fill(-1);
    dominator[0] = 0;
    const intersect = (left: number, right: number): number => {
      let a = left;
      let b = right;
      while (a !== b) {
        while (a > b) a = dominator[a] ?? 0;
        while (b > a) b = dominator[b] ?? 0;
      }
      return a;
    };
    for (let changed = true; changed;) {
      changed = false;
      for (let index = 1; index < order.length; index += 1) {
        let found = -1;
        for (const predecessor of this.#predecessors[order[index] ?? -1] ?? []) {
          const predecessorPosition = position[predecessor] ?? -1;
          if (predecessorPosition === -1 || dominator[predecessorPosition] === -1) continue;
          found = found === -1 ? predecessorPosition : intersect(predecessorPosition, found);
        }
        if (dominator[index] === found) continue;
        dominator[index] = found;
        changed = true;
      }
    }

    const result = new Map<string, string>();
    for (const [index, node] of order.entries()) {
      const id = this.#ids[node];
      const dominatorId = this.#ids[order[dominator[index] ?? -1] ?? -1];
      if (index > 0 && id !== undefined && dominatorId !== undefined) result.set(id, dominatorId);
    }
    return result;
  }

  /** Returns the reverse postorder of a depth-first search. Not recursive, because models may be long. */
  #reversePostorder(entry: number): readonly number[] {
    const seen = new Set([entry]);
    const order: number[] = [];
    const stack = [{ node: entry, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = this.#successors[top.node]?.[top.next];
      top.next += 1;
      if (target === undefined) {
        order.push(top.node);
        stack.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        stack.push({ node: target, next: 0 });
      }
    }
    return order.reverse();
  }
}
