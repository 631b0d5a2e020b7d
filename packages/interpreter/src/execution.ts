import {
  type AdvanceContext,
  type ApprovalRecord,
  type ApprovalRound,
  canonicalJson,
  createSequentialId,
  type ElementInstance,
  type EngineRequest,
  type ErrorCode,
  type FlowNode,
  type Json,
  type JsonObject,
  type QuestionRecord,
  type Refusal,
  type RunEventDraft,
  type RunEventMap,
  type RunEventType,
  type RunState,
  type SequenceFlow,
  type StepRisk,
  type Taints,
  type WorkflowGraph,
  withRunEventVersion,
} from '@countersign/model';
import { RunRisks } from './run-risks.js';

/** The private part of an event, required if the event type always has one. */
type PrivatePart<K extends RunEventType> = null extends RunEventMap[K]['private']
  ? [RunEventMap[K]['private']?]
  : [RunEventMap[K]['private']];

/** Number of elements that a command may enter before its written characters are counted (work-limits.ts). */
const MAX_UNMETERED_ELEMENTS = 100;

/**
 * A pending item of work of the current command. Items are processed in the order in which Zeebe would write the
 * records.
 */
export type AgendaItem =
  | {
      readonly type: 'enter';
      readonly node: FlowNode;
      readonly scope: number;
      readonly via: string | null;
      /** The payload of an event that has already happened. */
      readonly event?: JsonObject;
      /** The taints of that payload. */
      readonly taints?: Taints | undefined;
      /** Initial values of the new instance. */
      readonly seed?: InstanceSeed;
    }
  | {
      readonly type: 'leave';
      readonly key: number;
      readonly result: JsonObject | null;
      readonly taints?: Taints | undefined;
    }
  | { readonly type: 'scope'; readonly key: number }
  /** A signal that the run has thrown and may also wait for. */
  | {
      readonly type: 'signal';
      readonly signalName: string;
      readonly payload: JsonObject;
      readonly taints?: Taints | undefined;
    }
  /** A signal subscription whose trigger ends an instance. It is handled once the throwing event is done. */
  | {
      readonly type: 'signalled';
      readonly key: number;
      readonly subscriptionId: string;
      readonly payload: JsonObject;
      readonly taints?: Taints | undefined;
    }
  /** The end of a compensation handler of an instance. */
  | { readonly type: 'compensated'; readonly key: number };

/** Initial values of a new instance, in addition to those that every instance has. */
export type InstanceSeed = Pick<
  ElementInstance,
  'variables' | 'taints' | 'compensates' | 'undoes' | 'compensations' | 'loop' | 'loopCounter'
>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The working copy of one `advance()`: the new state, and the events and requests so far.
 *
 * Only the containers are copied. A changed instance is replaced, so the state that was passed in stays unchanged.
 */
export class Execution {
  readonly events: RunEventDraft[] = [];
  readonly requests: EngineRequest[] = [];
  readonly agenda: AgendaItem[] = [];
  /** Number of agenda items already taken. They stay in the array, because removing each one would shift all others. */
  private takenCount = 0;
  refusal: Refusal | null = null;
  /** Whether the command was abandoned after it had started. Only its refusal remains. */
  isAbandoned = false;
  /** The approval that the command is about. */
  approval: ApprovalRecord | null = null;
  /** The question that the command is about. */
  question: QuestionRecord | null = null;
  enteredCount = 0;
  /** FEEL steps of this command. */
  readonly meter = { steps: 0 };
  /** Characters of private data in this command's events, counted after the first 100 elements. */
  writtenCharacters = 0;
  /** Whether variables have changed since the conditions were last checked. */
  variablesChanged = false;
  private readonly instances: Record<string, ElementInstance>;
  /** Keys of the instances that wait for a condition or signal, which the run itself may cause. */
  private readonly waiting = { condition: new Set<number>(), signal: new Set<number>() };
  /** Number of live instances by scope, so a large scope need not be counted repeatedly. */
  private readonly childCounts = new Map<number, number>();
  /** Keys of live instances by scope, oldest first; built on the first call of children(). */
  private childKeys: Map<number, Set<number>> | undefined;
  /** Iteration counts created by this command, which it may modify. */
  private readonly countedIterations = new Map<number, Record<string, number>>();
  /** Round records created by this command, which it may modify. */
  private readonly copiedRounds = new WeakSet<object>();
  /** RFC 8785 texts of lists and objects in subjects, which thousands of approvals of one command may share. */
  private readonly canonicalTexts = new WeakMap<object, string>();
  /** Number of agenda items that will enter each scope. */
  private readonly entering = new Map<number, number>();
  private readonly header: Mutable<RunState>;
  private currentRisks: RunRisks | undefined;

  constructor(
    private currentGraph: WorkflowGraph,
    state: RunState,
    readonly context: AdvanceContext,
  ) {
    this.instances = { ...state.instances };
    for (const instance of Object.values(this.instances)) {
      adjustCount(this.childCounts, instance.parent, 1);
      this.indexWaits(instance);
    }
    this.header = { ...state, instances: this.instances };
  }

  get graph(): WorkflowGraph {
    return this.currentGraph;
  }

  /** Switches the run to another version. */
  switchGraph(graph: WorkflowGraph): void {
    this.currentGraph = graph;
  }

  get state(): RunState {
    return this.header;
  }

  /** Returns the RFC 8785 text of a variable's value, computed once per command. */
  canonicalText(value: Json): string {
    if (typeof value !== 'object' || value === null) return canonicalJson(value);
    const cachedText = this.canonicalTexts.get(value);
    if (cachedText !== undefined) return cachedText;
    const text = canonicalJson(value);
    this.canonicalTexts.set(value, text);
    return text;
  }

  get now(): number {
    return this.context.now;
  }

  result(): RunState {
    if (this.currentRisks !== undefined) this.header.risks = this.currentRisks.all();
    return this.header;
  }

  update(change: Partial<RunState>): void {
    Object.assign(this.header, change);
  }

  getInstances(): ElementInstance[] {
    return Object.values(this.instances);
  }

  /** Whether any variable of the run was ever tainted. */
  get isTainted(): boolean {
    return this.header.tainted === true;
  }

  /** Returns the instances that wait for a signal or for a condition, in the order in which they were entered. */
  findWaiting(kind: 'condition' | 'signal'): ElementInstance[] {
    return [...this.waiting[kind]].sort((a, b) => a - b).map((key) => this.get(key));
  }

  find(key: number): ElementInstance | undefined {
    return this.instances[key];
  }

  get(key: number): ElementInstance {
    const instance = this.instances[key];
    if (instance === undefined) throw new Error(`Run ${this.header.runId} has no element instance ${key}.`);
    return instance;
  }

  put(instance: ElementInstance): ElementInstance {
    if (this.instances[instance.key] === undefined) {
      adjustCount(this.childCounts, instance.parent, 1);
      if (this.childKeys !== undefined) addChild(this.childKeys, instance);
    }
    this.instances[instance.key] = instance;
    this.indexWaits(instance);
    return instance;
  }

  remove(key: number): void {
    const removed = this.instances[key];
    if (removed === undefined) return;
    adjustCount(this.childCounts, removed.parent, -1);
    if (removed.parent !== null) this.childKeys?.get(removed.parent)?.delete(key);
    this.waiting.condition.delete(key);
    this.waiting.signal.delete(key);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- keys are the run's own counter
    delete this.instances[key];
  }

  node(elementId: string): FlowNode {
    const node = this.graph.nodes.get(elementId);
    if (node === undefined) throw new Error(`Workflow ${this.graph.workflowId} has no element "${elementId}".`);
    return node;
  }

  /** Returns the instances in a scope, in the order in which they were entered. */
  children(scope: number): ElementInstance[] {
    if (this.countChildren(scope) === 0) return [];
    if (this.childKeys === undefined) {
      this.childKeys = new Map();
      for (const instance of this.getInstances()) addChild(this.childKeys, instance);
    }
    return Array.from(this.childKeys.get(scope) ?? [], (key) => this.get(key));
  }

  countChildren(scope: number): number {
    return this.childCounts.get(scope) ?? 0;
  }

  /** Returns whether a token is about to enter a scope. */
  isBeingEntered(scope: number): boolean {
    return (this.entering.get(scope) ?? 0) > 0;
  }

  scheduleEnter(item: Omit<Extract<AgendaItem, { type: 'enter' }>, 'type'>): void {
    adjustCount(this.entering, item.scope, 1);
    if (item.via !== null) this.context.observer?.onFlowTaken(item.via);
    this.agenda.push({ type: 'enter', ...item });
  }

  nextItem(): AgendaItem | undefined {
    const item = this.agenda[this.takenCount];
    this.takenCount += 1;
    if (this.takenCount >= this.agenda.length) this.clearAgenda();
    if (item?.type === 'enter') adjustCount(this.entering, item.scope, -1);
    return item;
  }

  /** Removes the tokens that are about to enter a scope. */
  dropEntries(scope: number): void {
    if (!this.isBeingEntered(scope)) return;
    this.entering.delete(scope);
    const remainingItems = this.agenda
      .slice(this.takenCount)
      .filter((item) => item.type !== 'enter' || item.scope !== scope);
    this.clearAgenda();
    for (const item of remainingItems) this.agenda.push(item);
  }

  dropAgenda(): void {
    this.clearAgenda();
    this.entering.clear();
  }

  private clearAgenda(): void {
    this.agenda.length = 0;
    this.takenCount = 0;
  }

  /**
   * Counts an element's iterations in its scope. The counts are copied once per command, because one command may enter
   * thousands.
   */
  countIteration(scopeKey: number, elementId: string): number {
    const scope = this.get(scopeKey);
    let iterations = this.countedIterations.get(scopeKey);
    if (iterations === undefined || iterations !== scope.iterations) {
      // Members are added later, and V8 is slow at adding them to an object made by a spread.
      iterations = Object.assign({}, scope.iterations);
      this.countedIterations.set(scopeKey, iterations);
      this.put(scope.iterations === undefined ? { iterations, ...scope } : { ...scope, iterations });
    }
    const iteration = (iterations[elementId] ?? 0) + 1;
    iterations[elementId] = iteration;
    return iteration;
  }

  /**
   * Records the last round of an approval in its scope. Copies the record once per command, because a command may
   * reopen thousands of approvals.
   */
  putRound(scopeKey: number, name: string, round: ApprovalRound): void {
    const scope = this.get(scopeKey);
    let { rounds } = scope;
    if (rounds === undefined || !this.copiedRounds.has(rounds)) {
      rounds = Object.assign({}, rounds);
      this.copiedRounds.add(rounds);
      this.put({ ...scope, rounds });
    }
    (rounds as Record<string, ApprovalRound>)[name] = round;
  }

  private indexWaits({ key, waits }: ElementInstance): void {
    // Fast path for most instances.
    if (waits === undefined && this.waiting.condition.size === 0 && this.waiting.signal.size === 0) return;
    for (const kind of ['condition', 'signal'] as const) {
      if (waits?.some((wait) => wait.kind === kind) === true) this.waiting[kind].add(key);
      else this.waiting[kind].delete(key);
    }
  }

  nextCounter(): number {
    this.header.counter += 1;
    return this.header.counter;
  }

  nextId(): string {
    return createSequentialId(this.header.runId, this.nextCounter(), this.now);
  }

  /** Adds an event to the history. {@link RunEventMap} defines what each event type records. */
  emit<K extends RunEventType>(
    type: K,
    instance: Pick<ElementInstance, 'stepId' | 'elementId'> | null,
    data: RunEventMap[K]['data'],
    ...[privatePart = null]: PrivatePart<K>
  ): void {
    // An interface is not assignable to a type with an index signature, but all members of these interfaces are JSON.
    const privateData = privatePart as unknown as JsonObject | null;
    this.header.seq += 1;
    if (this.enteredCount > MAX_UNMETERED_ELEMENTS && privateData !== null)
      this.writtenCharacters += JSON.stringify(privateData).length;
    this.events.push({
      seq: this.header.seq,
      at: this.now,
      type,
      stepId: instance?.stepId ?? null,
      elementId: instance?.elementId ?? null,
      data: withRunEventVersion(type, data as unknown as JsonObject),
      private: privateData,
    });
    this.context.observer?.onEventEmitted(this.result());
  }

  request(request: EngineRequest): void {
    this.requests.push(request);
  }

  refuse(code: ErrorCode, message: string, details?: JsonObject): void {
    this.refusal = details === undefined ? { code, message } : { code, message, details };
  }

  /** Abandons a command that has already started. The state of the run stays unchanged. */
  abandon(code: ErrorCode, message: string, details?: JsonObject): void {
    this.isAbandoned = true;
    this.events.length = 0;
    this.requests.length = 0;
    this.dropAgenda();
    this.refuse(code, message, details);
  }

  takeFlow(flow: SequenceFlow, scope: number): void {
    this.scheduleEnter({ node: this.node(flow.targetId), scope, via: flow.id });
  }

  /** The risks of the steps. {@link state} contains them only once the command is done. */
  get risks(): RunRisks {
    return (this.currentRisks ??= new RunRisks(this.header.risks));
  }

  replaceRisks(risks: readonly StepRisk[]): void {
    this.currentRisks = new RunRisks(risks);
  }
}

function addChild(keys: Map<number, Set<number>>, { key, parent }: ElementInstance): void {
  if (parent === null) return;
  const siblings = keys.get(parent);
  if (siblings === undefined) keys.set(parent, new Set([key]));
  else siblings.add(key);
}

function adjustCount(counts: Map<number, number>, key: number | null, change: number): void {
  if (key !== null) counts.set(key, (counts.get(key) ?? 0) + change);
}
