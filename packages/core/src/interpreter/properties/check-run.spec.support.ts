import type { AdvanceContext, AdvanceResult } from '../../domain/advance-result.js';
import type { Command } from '../../domain/commands.js';
import type { PolicyFunction } from '../../domain/policy.js';
import { chainEvents, GENESIS_HASH } from '../../domain/run-event.js';
import type { RunState } from '../../domain/run-state.js';
import type { WorkflowGraph } from '../../domain/workflow-graph.js';
import { advance } from '../advance.js';
import { allow, RUN_ID, T0, user } from '../interpreter.spec.support.js';
import { checkState } from './check-state.spec.support.js';
import { answerTo, chooseCommand, type ChosenCommand, type StepSketch } from './random-command.spec.support.js';
import { DENIED_JOB_TYPE, KNOWN_DECISION } from './task-texts.spec.support.js';
import { TokenLedger } from './token-ledger.spec.support.js';
import { must } from './violation.spec.support.js';
import { World } from './world.spec.support.js';

/** The same model, compiled as often as the process that runs it was started. */
export interface CheckedModel {
  readonly graph: WorkflowGraph;
  /** The graph of another start of the process. */
  readonly recompiled: WorkflowGraph;
  /** Whether tokens may be left at a join for good. */
  readonly mayStick: boolean;
}

/** Commands that a run may take beyond the random ones, to come to its end. */
const MAX_CLOSING = 25;
/** A run whose tokens have multiplied beyond that is left where it is: it would only cost time. */
const MAX_INSTANCES = 150;

const policy: PolicyFunction = (request) => ({
  ...allow(request),
  decision: request.jobType === DENIED_JOB_TYPE ? 'deny' : request.stepType === 'userTask' ? 'require_approval' : 'allow',
  riskLevel: request.stepType === 'userTask' ? 'high' : 'low',
});

/** Takes a run through random commands, then to its end, and checks all properties behind each command. */
export function checkRun(model: CheckedModel, start: Command, steps: readonly StepSketch[]): void {
  const run = new CheckedRun(model);
  run.take({ command: start, now: T0, mustBeAccepted: true });
  const closing = Array.from({ length: MAX_CLOSING }, (_, turn): StepSketch => ({ kind: 'answer', pick: turn, how: 1 }));
  for (const [index, step] of [...steps, ...closing].entries()) {
    if (run.isTooLarge) return;
    if (index >= steps.length && run.hasEnded) break;
    run.take(run.choose(step));
  }
  if (!run.hasEnded) run.take({ command: { type: 'cancel', actor: user('ada'), reason: 'enough' }, now: run.now, mustBeAccepted: !run.isCancelling });
  run.checkReplay();
}

export function startCommand(startEvent: string | null): Command {
  const inputs = { n0: 0, n1: 1, n2: 2, n3: 3, flag: false, list: [1, 2], key: 'k', called: 'child' };
  const actor = user('starter');
  const common = { type: 'start', actor, runId: RUN_ID, workflowVersion: 1, workflowDigest: 'sha256:1', businessKey: null, inputs } as const;
  return startEvent === null ? common : { ...common, startEvent: { elementId: startEvent, trigger: 0, payload: { n0: 2 } } };
}

class CheckedRun {
  now = T0;
  private state: RunState | null = null;
  /** The same state as it is stored, and read again behind each command. */
  private stored: string | null = null;
  private readonly commands: { command: Command; now: number }[] = [];
  private readonly world = new World();
  private readonly ledger: TokenLedger;
  private hash = GENESIS_HASH;
  private storedHash = GENESIS_HASH;
  private ends = 0;

  constructor(private readonly model: CheckedModel) {
    this.ledger = new TokenLedger(model.graph);
  }

  get hasEnded(): boolean {
    return this.state !== null && this.state.outcome !== null;
  }

  get isCancelling(): boolean {
    return this.state?.cancelling === true;
  }

  get isTooLarge(): boolean {
    return Object.keys(this.state?.instances ?? {}).length > MAX_INSTANCES;
  }

  choose(step: StepSketch): ChosenCommand {
    if (this.state === null) throw new Error('The run has not begun.');
    return chooseCommand(this.state, step, this.now);
  }

  take({ command, now, mustBeAccepted }: ChosenCommand): void {
    const before = this.state;
    this.now = now;
    this.commands.push({ command, now });
    const result = advance(this.model.graph, before, command, contextAt(now));
    if (mustBeAccepted && before?.outcome === null) must(result.refusal === null, `${command.type} is accepted (${result.refusal?.code ?? ''})`);
    if (result.refusal !== null) checkRefusal(before, result);
    this.checkEnd(before, command, result);
    this.hash = chained(this.hash, result);
    this.reload(command, now, result);
    this.state = frozen(result.state);
    this.world.apply(command, result);
    this.ledger.apply(result);
    checkState(this.model.graph, result.state);
    this.checkNotStuck(result.state);
  }

  /** Another process would do the same, from what is stored and a graph of its own. */
  private reload(command: Command, now: number, result: AdvanceResult): void {
    const state = this.stored === null ? null : (JSON.parse(this.stored) as RunState);
    // Whatever is remembered by graph is forgotten.
    const again = advance({ ...this.model.recompiled }, state, command, contextAt(now));
    this.stored = JSON.stringify(again.state);
    this.storedHash = chained(this.storedHash, again);
    must(this.stored === JSON.stringify(result.state), 'a run that was stored and read again behind each command has the same state');
    must(this.storedHash === this.hash, 'a run that was stored and read again behind each command has the same history');
    must(JSON.stringify(again.requests) === JSON.stringify(result.requests), 'a run that was stored and read again asks the same of the world');
  }

  /** The commands alone give the run again. */
  checkReplay(): void {
    let state: RunState | null = null;
    let hash = GENESIS_HASH;
    for (const { command, now } of JSON.parse(JSON.stringify(this.commands)) as typeof this.commands) {
      const result: AdvanceResult = advance(this.model.graph, state, command, contextAt(now));
      state = result.state;
      hash = chained(hash, result);
    }
    must(hash === this.hash, 'replaying the commands gives the same event hashes');
  }

  private checkEnd(before: RunState | null, command: Command, { events, state, refusal }: AdvanceResult): void {
    this.ends += events.filter(({ type }) => /^run\.(completed|failed|cancelled|rejected)$/.test(type)).length;
    must(this.ends === (state.outcome === null ? 0 : 1), 'a run ends once, and its history says so');
    must(before === null || before.outcome === null || before.outcome === state.outcome, 'the outcome of a run does not change');
    if (before !== null && before.outcome !== null && command.type !== 'artifact.record') must(refusal?.code === 'run_already_ended', 'a run that has ended takes no command');
  }

  /**
   * A run that has not ended waits for something that its state declares, and whatever that is can happen. Otherwise its
   * tokens wait at joins for others that the model never sends: such a run is shown as stuck, and can be cancelled.
   */
  private checkNotStuck(state: RunState): void {
    if (state.outcome !== null) return;
    const instances = Object.values(state.instances);
    const waits = instances.flatMap((each) => each.waits ?? []);
    const isDeclared = waits.length > 0 || instances.some((each) => each.incident !== undefined);
    if (!isDeclared) must(this.model.mayStick, 'a run of a sound model waits for something that it declares');
    if (!isDeclared) must(instances.some((each) => each.joins !== undefined || each.resets !== undefined), 'a run that waits for nothing has tokens at a join');
    const chosen = waits.flatMap((wait) => answerTo(wait, 1, this.now) ?? []).filter((each) => each.mustBeAccepted);
    // Each of them is tried somewhere in so many runs; all of them in a small one.
    for (const { command, now } of chosen.slice(0, 2)) {
      must(advance(this.model.graph, state, command, contextAt(now)).refusal === null, `${command.type} is accepted where the state declares it`);
    }
  }
}

function contextAt(now: number): AdvanceContext {
  return {
    now,
    policy,
    settings: { separationOfDuties: true, retryBackoffMs: 1000, retryBackoffMaxMs: 60_000 },
    decisions: (decisionId) =>
      decisionId === KNOWN_DECISION ? { decisionId, version: 1, digest: 'sha256:2', evaluate: (scope) => ({ output: Number(scope.variables.get('n1') ?? 0) % 4, matchedRules: [], trail: {} }) } : undefined,
  };
}

function checkRefusal(before: RunState | null, { refusal, state, events, requests }: AdvanceResult): void {
  // A void approval is asked anew: that is its refusal's effect.
  if (refusal?.code === 'stale_digest') return;
  must(state === before && events.length === 0 && requests.length === 0, `a command that is refused (${refusal?.code ?? ''}) changes nothing`);
}

function chained(previous: string, { events }: AdvanceResult): string {
  return chainEvents(RUN_ID, previous, events, (seq) => seq.toString(16).padStart(32, '0')).at(-1)?.hash ?? previous;
}

/** Whoever writes to it fails. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}
