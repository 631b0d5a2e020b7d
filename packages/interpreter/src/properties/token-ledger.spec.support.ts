import type { AdvanceResult, ElementInstance, FlowNode, RunState, WorkflowGraph } from '@countersign/model';
import type { Move } from './random-migration.spec.support.js';
import { assertProperty } from './violation.spec.support.js';

/**
 * Checks the conservation of tokens, based on the history and the positions of the tokens.
 *
 * Steps: each step that was entered has either ended once (`step.completed`, `step.cancelled`) or is active.
 *
 * Flows: each token that left the previous nodes has entered the node or waits at it. If a scope ends early, tokens on
 * their way to a node may also end. From then on, the node may be entered less often than tokens were sent to it.
 */
export class TokenLedger {
  private readonly ended = new Map<string, string>();
  private readonly completed = new Map<string, number>();
  private readonly entered = new Map<string, number>();
  /** Whether tokens may have ended on their way to a node. */
  private hasLostTokens = false;
  /** Whether tokens may have moved without a flow, by rework or by a migration to another model. */
  private hasJumpedTokens = false;

  constructor(private graph: WorkflowGraph) {
    // An ad-hoc sub-process with a completion condition may end tokens that have not entered an element yet, and no
    // event records their end.
    this.hasLostTokens = [...graph.nodes.values()].some(
      (node) => node.kind === 'adHocSubProcess' && node.completionCondition !== null,
    );
  }

  apply({ events, state }: AdvanceResult): void {
    for (const { type, stepId, elementId } of events) {
      if (type === 'rework.started') this.hasJumpedTokens = true;
      if (/^run\.(completed|failed|cancelled|rejected|cancel_requested)$/.test(type)) this.hasLostTokens = true;
      if (stepId === null || elementId === null) continue;
      if (type === 'step.started' || type === 'step.retried' || type === 'step.failed')
        assertProperty(!this.ended.has(stepId), `${elementId} does not start, retry or fail after it has ended`);
      if (type === 'step.completed' || type === 'step.cancelled') this.end(type, stepId, elementId);
    }
    this.checkSteps(state);
    if (!this.hasJumpedTokens) this.checkFlows(state);
  }

  /**
   * Continues with the target of a migration. If its model is another one, the tokens did not reach their positions by
   * its flows.
   */
  move({ kind, command: { mapping } }: Move, to: WorkflowGraph): void {
    this.graph = to;
    if (kind === 'other') this.hasJumpedTokens = true;
    for (const counts of [this.completed, this.entered]) {
      const before = [...counts];
      counts.clear();
      for (const [id, count] of before) counts.set(mapping[id] ?? id, count);
    }
  }

  private end(type: string, stepId: string, elementId: string): void {
    assertProperty(!this.ended.has(stepId), `${elementId} does not end twice`);
    this.ended.set(stepId, elementId);
    increment(this.entered, elementId, 1);
    if (type === 'step.cancelled') this.hasLostTokens = true;
    else increment(this.completed, elementId, 1);
    const node = this.graph.nodes.get(elementId);
    if (node === undefined) return;
    if ('throws' in node && node.throws.some(({ kind }) => kind === 'terminate' || kind === 'cancel'))
      this.hasLostTokens = true;
    if (node.kind === 'startEvent' && node.interrupting && node.scopeId !== this.graph.workflowId)
      this.hasLostTokens = true;
  }

  private checkSteps(state: RunState): void {
    const activeInstances = Object.values(state.instances).filter((each) => each.key !== state.root);
    assertProperty(
      state.entered === this.ended.size + activeInstances.length,
      'every step that was entered has either ended once or is active',
    );
    assertProperty(
      activeInstances.every((each) => !this.ended.has(each.stepId)),
      'no step that has ended is active',
    );
  }

  private checkFlows(state: RunState): void {
    const instances = Object.values(state.instances);
    const activeCounts = new Map<string, number>();
    const waiting = new Map<string, number>();
    for (const each of instances) {
      increment(activeCounts, each.elementId, 1);
      for (const [gateway, flow, count] of listWaitingTokens(each)) {
        increment(waiting, gateway, count);
        increment(waiting, flow, count);
      }
    }
    for (const node of this.graph.nodes.values()) {
      if (!hasSimpleFlow(node) || node.incoming.length === 0) continue;
      const entered = (this.entered.get(node.id) ?? 0) + (activeCounts.get(node.id) ?? 0);
      const arrived = node.incoming.map((flow) => this.countSent(flow.sourceId));
      if (arrived.some((each) => each === undefined)) continue;
      const arrivedCounts = arrived as number[];
      if (isJoin(node))
        node.incoming.forEach((flow, index) =>
          this.compareJoin(node, entered, (arrivedCounts[index] ?? 0) - (waiting.get(flow.id) ?? 0)),
        );
      else
        this.compare(
          node,
          arrivedCounts.reduce((sum, each) => sum + each, 0),
          entered,
        );
    }
    for (const node of this.graph.nodes.values()) this.checkChoice(node, activeCounts);
  }

  /** Returns the tokens that left a node by each of its flows; `undefined` if completions do not determine it. */
  private countSent(id: string): number | undefined {
    const node = this.graph.nodes.get(id);
    if (node === undefined || !hasSimpleFlow(node)) return undefined;
    const sendsAll =
      node.kind === 'parallelGateway' ||
      isParallelStart(node) ||
      (node.outgoing.length === 1 && node.kind !== 'complexGateway' && node.kind !== 'eventGateway');
    return sendsAll ? (this.completed.get(id) ?? 0) : undefined;
  }

  /** Checks that each token takes one flow after an exclusive or event-based gateway. */
  private checkChoice(gateway: FlowNode, activeCounts: ReadonlyMap<string, number>): void {
    if ((gateway.kind !== 'exclusiveGateway' && gateway.kind !== 'eventGateway') || isParallelStart(gateway)) return;
    const targets = gateway.outgoing.map((flow) => this.graph.nodes.get(flow.targetId));
    const simpleTargets = targets.filter(
      (node) => node !== undefined && hasSimpleFlow(node) && node.incoming.length === 1,
    ) as FlowNode[];
    if (targets.length === 0 || simpleTargets.length < targets.length) return;
    const entered = simpleTargets.reduce(
      (sum, { id }) => sum + (this.entered.get(id) ?? 0) + (activeCounts.get(id) ?? 0),
      0,
    );
    this.compare(gateway, this.completed.get(gateway.id) ?? 0, entered);
  }

  private compareJoin(node: FlowNode, entered: number, arrived: number): void {
    // An inclusive join may fire without a token of a flow.
    const isExact = node.kind === 'parallelGateway' && !this.hasLostTokens;
    if (node.kind === 'parallelGateway')
      assertProperty(
        isExact ? arrived === entered : arrived >= entered,
        `join ${node.id} was entered (${entered}) once for each token of each flow (${arrived})`,
      );
    else if (!this.hasLostTokens)
      assertProperty(
        arrived <= entered,
        `join ${node.id} was entered (${entered}) at least once for each token of a flow (${arrived})`,
      );
  }

  private compare(node: FlowNode, sent: number, entered: number): void {
    assertProperty(
      this.hasLostTokens ? sent >= entered : sent === entered,
      `the number of tokens sent (${sent}) matches the number of tokens that entered (${entered}) at ${node.id}`,
    );
  }
}

/** Returns the tokens at the joins in a scope, as gateway id, flow id and count. */
function listWaitingTokens({ joins }: ElementInstance): [string, string, number][] {
  return Object.entries(joins ?? {}).flatMap(([gateway, flows]) =>
    Object.entries(flows).map(([flow, count]): [string, string, number] => [gateway, flow, count]),
  );
}

/** Returns whether each token of a node is one step and leaves the node by its flows. */
function hasSimpleFlow(node: FlowNode): boolean {
  return (
    node.loop === null &&
    !node.isForCompensation &&
    !(node.kind === 'complexGateway' && node.activationCondition !== null)
  );
}

/** Returns whether a gateway starts a run that then waits for all events after the gateway. */
function isParallelStart(node: FlowNode): boolean {
  return node.kind === 'eventGateway' && node.parallel;
}

function isJoin(node: FlowNode): boolean {
  return node.incoming.length > 1 && (node.kind === 'parallelGateway' || node.kind === 'inclusiveGateway');
}

function increment(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}
