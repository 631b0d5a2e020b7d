import { type FlowNode, type SequenceFlow, traitsOf, unreachable } from '@countersign/model';
import { isJoin, isPlainMerge, repeatedStep } from './next-elements.js';

/**
 * The tokens of one scope as a Petri net. The net can do everything that the engine can do. It ignores variables, so
 * every choice is free. What never happens in the net therefore never happens in a run.
 */
export interface TokenNet {
  /** A place is before an element or, for a join, on one of its flows. The first place holds the first token. */
  readonly places: readonly Place[];
  readonly transitions: readonly Transition[];
}

export interface Place {
  readonly elementId: string;
  /** The flow into the join; `null` if the tokens of all flows share the place. */
  readonly flowId: string | null;
  /** Whether the element is an inclusive or complex gateway with several flows, which has its own rules for waiting. */
  readonly gathers: boolean;
}

export interface Transition {
  readonly inputs: readonly number[];
  readonly outputs: readonly Arc[];
  /** Whether the transition ends the scope with all of its tokens. */
  readonly clears: boolean;
  /**
   * How the net is more permissive than the engine: `spread` puts a token on every flow although conditions choose some
   * of them, `gather` lets each token pass although some wait for each other. Valid to prove what never happens, but
   * not what does.
   */
  readonly unsure: 'spread' | 'gather' | null;
  readonly choice: Choice | null;
  /** Id of the join that the transition represents. */
  readonly join: string | null;
}

export interface Arc {
  readonly place: number;
  /** Elements on the way at which tokens of other flows may meet, in order. */
  readonly via: readonly string[];
}

/** One of several ways in which a token can continue. */
export interface Choice {
  /** Id of the gateway or the event. */
  readonly at: string;
  /** Id of the flow; `null` if the event alone identifies the choice. */
  readonly flowId: string | null;
  /** Names of the variables that the choice depends on; `null` if it depends on external events. */
  readonly reads: readonly string[] | null;
}

const HAPPENS = (at: string): Choice => ({ at, flowId: null, reads: null });

export function buildTokenNet(
  nodes: ReadonlyMap<string, FlowNode>,
  entries: readonly string[],
  allEntries: boolean,
): TokenNet {
  return new NetBuilder(nodes).build(entries, allEntries);
}

class NetBuilder {
  readonly #places: Place[] = [{ elementId: '', flowId: null, gathers: false }];
  readonly #transitions: Transition[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #pending: FlowNode[] = [];
  readonly #seen = new Set<string>();

  constructor(private readonly nodes: ReadonlyMap<string, FlowNode>) {}

  build(entries: readonly string[], allEntries: boolean): TokenNet {
    const first = entries.flatMap((id) => this.#arrive(id));
    if (allEntries) this.#add([0], first);
    else for (const arc of first) this.#add([0], [arc], { choice: HAPPENS(this.#places[arc.place]?.elementId ?? '') });
    for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop()) this.#leave(node);
    return { places: this.#places, transitions: this.#transitions };
  }

  /** Returns the arcs to the place that a token reaches when it moves to a node. */
  #arrive(id: string, flow?: SequenceFlow): readonly Arc[] {
    const node = this.nodes.get(id);
    if (node === undefined) return [];
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      this.#pending.push(node);
    }
    const flowId = isJoin(node) ? (flow?.id ?? null) : null;
    return [{ place: this.#place(node, flowId), via: isPlainMerge(node) ? [id] : [] }];
  }

  #place(node: FlowNode, flowId: string | null): number {
    const key = flowId === null ? `at ${node.id}` : `on ${flowId}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const gathers = traitsOf(node).merging === 'gather' && node.incoming.length > 1;
    this.#places.push({ elementId: node.id, flowId, gathers });
    this.#numbers.set(key, this.#places.length - 1);
    return this.#places.length - 1;
  }

  #along(flows: readonly SequenceFlow[]): readonly Arc[] {
    return flows.flatMap((flow) => this.#arrive(flow.targetId, flow));
  }

  #add(inputs: readonly number[], outputs: readonly Arc[], more: Partial<Transition> = {}): void {
    this.#transitions.push({ inputs, outputs, clears: false, unsure: null, choice: null, join: null, ...more });
  }

  #leave(node: FlowNode): void {
    if (isJoin(node)) {
      const inputs = node.incoming.map((flow) => this.#place(node, flow.id));
      this.#add(inputs, this.#along(node.outgoing), { join: node.id });
      return;
    }
    const at = this.#place(node, null);
    switch (node.kind) {
      case 'exclusiveGateway':
        this.#choose(node, at);
        break;
      case 'eventGateway':
        if (node.parallel) this.#add([at], this.#along(node.outgoing));
        else for (const flow of node.outgoing) this.#add([at], this.#along([flow]), { choice: HAPPENS(flow.targetId) });
        break;
      case 'inclusiveGateway':
      case 'complexGateway':
        this.#gatherAndSpread(node, at);
        break;
      case 'endEvent':
        this.#add([at], [], {
          clears: node.throws.some(({ kind }) => kind === 'terminate' || kind === 'error' || kind === 'cancel'),
        });
        break;
      case 'linkThrow':
        this.#add([at], this.#arrive(node.targetId));
        break;
      case 'startEvent':
      case 'catch':
      case 'boundaryEvent':
      case 'throw':
      case 'jobTask':
      case 'userTask':
      case 'scriptTask':
      case 'decisionTask':
      case 'passTask':
      case 'parallelGateway':
      case 'subProcess':
      case 'adHocSubProcess':
      case 'eventSubProcess':
      case 'callActivity':
        this.#finish(node, at);
        break;
      default:
        unreachable(node);
    }
  }

  #choose(node: FlowNode, at: number): void {
    const reads = readsOf(node.outgoing);
    if (node.outgoing.length === 0) this.#add([at], []);
    for (const flow of node.outgoing) {
      this.#add([at], this.#along([flow]), { choice: { at: node.id, flowId: flow.id, reads } });
    }
  }

  #gatherAndSpread(node: FlowNode, at: number): void {
    const spreads = node.outgoing.length > 1;
    const gathers = this.#places[at]?.gathers === true;
    if (!spreads || !gathers) {
      this.#add([at], this.#along(node.outgoing), { unsure: gathers ? 'gather' : spreads ? 'spread' : null });
      return;
    }
    this.#places.push({ elementId: node.id, flowId: null, gathers: false });
    const between = this.#places.length - 1;
    this.#add([at], [{ place: between, via: [] }], { unsure: 'gather' });
    this.#add([between], this.#along(node.outgoing), { unsure: 'spread' });
  }

  /** Adds the transitions after activities and events: all outgoing flows, or one of the boundary events. */
  #finish(node: FlowNode, at: number): void {
    const conditional = node.outgoing.some((flow) => flow.condition !== null);
    this.#add([at], this.#along(node.outgoing), { unsure: conditional ? 'spread' : null });
    for (const id of node.boundaryEvents) {
      const boundary = this.nodes.get(id);
      if (boundary?.kind !== 'boundaryEvent') continue;
      const stays: readonly Arc[] = boundary.interrupting ? [] : [{ place: at, via: [] }];
      this.#add([at], [...stays, ...this.#arrive(id)], { choice: HAPPENS(id) });
    }
    const step = repeatedStep(node);
    if (step !== null) this.#add([at], this.#arrive(step), { choice: HAPPENS(node.id) });
  }
}

function readsOf(flows: readonly SequenceFlow[]): readonly string[] {
  const names = flows.flatMap((flow) => flow.condition?.reads ?? []).map(([name]) => name ?? '');
  return [...new Set(names)];
}
