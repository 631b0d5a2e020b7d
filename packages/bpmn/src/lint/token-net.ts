import { type FlowNode, type SequenceFlow, getNodeTraits, unreachable } from '@countersign/model';
import { isJoin, isPlainMerge, getReworkStep } from './next-elements.js';

/**
 * The tokens of one scope as a Petri net. The net allows every behavior of the engine, and it ignores variables, so
 * every choice is possible. Therefore, anything that cannot happen in the net cannot happen in a run.
 */
export interface TokenNet {
  /** Each place is before an element or, for a join, on an incoming flow. The first place holds the initial token. */
  readonly places: readonly Place[];
  readonly transitions: readonly Transition[];
}

export interface Place {
  readonly elementId: string;
  /** The flow into the join; `null` if the tokens of all flows share the place. */
  readonly flowId: string | null;
  /**
   * Whether the element is an inclusive or complex gateway with several incoming flows, which has its own rules for
   * waiting.
   */
  readonly gathers: boolean;
}

export interface Transition {
  readonly inputs: readonly number[];
  readonly outputs: readonly Arc[];
  /** Whether the transition ends the scope and removes all of its tokens. */
  readonly clears: boolean;
  /**
   * Way in which the transition is more permissive than the engine; `null` if it is not. `spread` puts a token on every
   * flow, although conditions may select only some of them. `gather` lets each token pass, although some must wait for
   * others. Such a transition can prove that something never happens, but not that something happens.
   */
  readonly approximation: 'spread' | 'gather' | null;
  readonly choice: Choice | null;
  /** Id of the join that the transition represents; `null` if it represents another element. */
  readonly join: string | null;
}

export interface Arc {
  readonly place: number;
  /** Elements along the arc at which tokens of other flows may also arrive, in order. */
  readonly via: readonly string[];
}

/** One of several ways in which a token can continue. */
export interface Choice {
  /** Id of the gateway or the event. */
  readonly elementId: string;
  /** Id of the flow; `null` if the choice is an event. */
  readonly flowId: string | null;
  /** Whether the event is a request for changes in a user task, which leads to its rework step. */
  readonly isRework: boolean;
  /** Names of the variables that the choice depends on; `null` if it depends on external events. */
  readonly reads: readonly string[] | null;
}

const createEventChoice = (elementId: string, isRework = false): Choice => ({
  elementId,
  flowId: null,
  isRework,
  reads: null,
});

export function buildTokenNet(
  nodes: ReadonlyMap<string, FlowNode>,
  entries: readonly string[],
  startsAtEveryEntry: boolean,
): TokenNet {
  return new NetBuilder(nodes).build(entries, startsAtEveryEntry);
}

class NetBuilder {
  readonly #places: Place[] = [{ elementId: '', flowId: null, gathers: false }];
  readonly #transitions: Transition[] = [];
  readonly #placeIndexes = new Map<string, number>();
  readonly #pending: FlowNode[] = [];
  readonly #seen = new Set<string>();

  constructor(private readonly nodes: ReadonlyMap<string, FlowNode>) {}

  build(entries: readonly string[], startsAtEveryEntry: boolean): TokenNet {
    const entryArcs = entries.flatMap((id) => this.#enter(id));
    if (startsAtEveryEntry) this.#addTransition([0], entryArcs);
    else
      for (const arc of entryArcs)
        this.#addTransition([0], [arc], { choice: createEventChoice(this.#places[arc.place]?.elementId ?? '') });
    for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop()) this.#addNode(node);
    return { places: this.#places, transitions: this.#transitions };
  }

  /** Returns the arcs to the place that a token reaches when it moves to a node. */
  #enter(id: string, flow?: SequenceFlow): readonly Arc[] {
    const node = this.nodes.get(id);
    if (node === undefined) return [];
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      this.#pending.push(node);
    }
    const flowId = isJoin(node) ? (flow?.id ?? null) : null;
    return [{ place: this.#getPlace(node, flowId), via: isPlainMerge(node) ? [id] : [] }];
  }

  #getPlace(node: FlowNode, flowId: string | null): number {
    const key = flowId === null ? `at ${node.id}` : `on ${flowId}`;
    const known = this.#placeIndexes.get(key);
    if (known !== undefined) return known;
    const gathers = getNodeTraits(node).merging === 'gather' && node.incoming.length > 1;
    this.#places.push({ elementId: node.id, flowId, gathers });
    this.#placeIndexes.set(key, this.#places.length - 1);
    return this.#places.length - 1;
  }

  #enterFlows(flows: readonly SequenceFlow[]): readonly Arc[] {
    return flows.flatMap((flow) => this.#enter(flow.targetId, flow));
  }

  #addTransition(inputs: readonly number[], outputs: readonly Arc[], options: Partial<Transition> = {}): void {
    this.#transitions.push({
      inputs,
      outputs,
      clears: false,
      approximation: null,
      choice: null,
      join: null,
      ...options,
    });
  }

  #addNode(node: FlowNode): void {
    if (isJoin(node)) {
      const inputs = node.incoming.map((flow) => this.#getPlace(node, flow.id));
      this.#addTransition(inputs, this.#enterFlows(node.outgoing), { join: node.id });
      return;
    }
    const place = this.#getPlace(node, null);
    switch (node.kind) {
      case 'exclusiveGateway':
        this.#addExclusiveGateway(node, place);
        break;
      case 'eventGateway':
        if (node.parallel) this.#addTransition([place], this.#enterFlows(node.outgoing));
        else
          for (const flow of node.outgoing)
            this.#addTransition([place], this.#enterFlows([flow]), { choice: createEventChoice(flow.targetId) });
        break;
      case 'inclusiveGateway':
      case 'complexGateway':
        this.#addInclusiveGateway(node, place);
        break;
      case 'endEvent':
        this.#addTransition([place], [], {
          clears: node.throws.some(({ kind }) => kind === 'terminate' || kind === 'error' || kind === 'cancel'),
        });
        break;
      case 'linkThrow':
        this.#addTransition([place], this.#enter(node.targetId));
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
        this.#addActivity(node, place);
        break;
      default:
        unreachable(node);
    }
  }

  #addExclusiveGateway(node: FlowNode, place: number): void {
    const reads = listReadVariables(node.outgoing);
    if (node.outgoing.length === 0) this.#addTransition([place], []);
    for (const flow of node.outgoing) {
      this.#addTransition([place], this.#enterFlows([flow]), {
        choice: { elementId: node.id, flowId: flow.id, isRework: false, reads },
      });
    }
  }

  #addInclusiveGateway(node: FlowNode, place: number): void {
    const spreads = node.outgoing.length > 1;
    const gathers = this.#places[place]?.gathers === true;
    if (!spreads || !gathers) {
      this.#addTransition([place], this.#enterFlows(node.outgoing), {
        approximation: gathers ? 'gather' : spreads ? 'spread' : null,
      });
      return;
    }
    this.#places.push({ elementId: node.id, flowId: null, gathers: false });
    const betweenPlace = this.#places.length - 1;
    this.#addTransition([place], [{ place: betweenPlace, via: [] }], { approximation: 'gather' });
    this.#addTransition([betweenPlace], this.#enterFlows(node.outgoing), { approximation: 'spread' });
  }

  /**
   * Adds the transitions of an activity or event: one to all outgoing flows, one to each boundary event, and one to the
   * rework step.
   */
  #addActivity(node: FlowNode, place: number): void {
    const hasConditions = node.outgoing.some((flow) => flow.condition !== null);
    this.#addTransition([place], this.#enterFlows(node.outgoing), { approximation: hasConditions ? 'spread' : null });
    for (const id of node.boundaryEvents) {
      const boundary = this.nodes.get(id);
      if (boundary?.kind !== 'boundaryEvent') continue;
      const remainingArcs: readonly Arc[] = boundary.interrupting ? [] : [{ place, via: [] }];
      this.#addTransition([place], [...remainingArcs, ...this.#enter(id)], { choice: createEventChoice(id) });
    }
    const step = getReworkStep(node);
    if (step !== null) this.#addTransition([place], this.#enter(step), { choice: createEventChoice(node.id, true) });
  }
}

function listReadVariables(flows: readonly SequenceFlow[]): readonly string[] {
  const names = flows.flatMap((flow) => flow.condition?.reads ?? []).map(([name]) => name ?? '');
  return [...new Set(names)];
}
