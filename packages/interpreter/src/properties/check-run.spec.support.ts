import {
  type AdvanceContext,
  type AdvanceResult,
  chainEvents,
  type Command,
  GENESIS_HASH,
  PersonSalts,
  type RunState,
} from '@countersign/model';
import { advance } from '../advance.js';
import { RUN_ID, T0, user } from '../interpreter.spec.support.js';
import { checkState } from './check-state.spec.support.js';
import { CallLedger } from './call-ledger.spec.support.js';
import {
  chooseWaitCommand,
  chooseCommand,
  type ChosenCommand,
  type StepSketch,
} from './random-command.spec.support.js';
import { checkMigration, chooseMove, mustMigrationSucceed, type Move } from './random-migration.spec.support.js';
import { buildContext } from './run-context.spec.support.js';
import { ObservedRun } from './observed-run.spec.support.js';
import { TokenLedger } from './token-ledger.spec.support.js';
import type { Version, Versions } from './versions.spec.support.js';
import { assertProperty } from './violation.spec.support.js';
import { OpenRequests } from './open-requests.spec.support.js';

export interface CheckedModel {
  readonly version: Version;
  /** Versions that the run may migrate to; `null` if it may migrate only to its current model. */
  readonly versions: Versions | null;
  /** Whether tokens may wait at a join forever. */
  readonly mayGetStuck: boolean;
}

/** Number of commands that may follow the random commands to bring a run to its end. */
const MAX_CLOSING_STEPS = 25;
/** A run with more instances is abandoned to save time. */
const MAX_INSTANCES = 150;
/** A run with a longer history gets no more commands: a loop adds tens of thousands of events until it is stopped. */
const MAX_EVENTS = 10_000;

/** Executes random commands, brings the run to its end, and checks all properties after each command. */
export function checkRun(model: CheckedModel, start: Command, steps: readonly StepSketch[]): void {
  const run = new CheckedRun(model);
  run.execute({ command: start, now: T0, mustBeAccepted: true });
  const closingSteps = Array.from({ length: MAX_CLOSING_STEPS }, (_, index): StepSketch => ({
    kind: 'answer',
    pick: index,
    variant: 1,
    halts: false,
  }));
  for (const [index, step] of [...steps, ...closingSteps].entries()) {
    if (run.isTooLarge) return;
    if (run.hasLongHistory || (index >= steps.length && run.hasEnded)) break;
    run.execute({ ...run.choose(step), halts: step.halts });
  }
  if (!run.hasEnded)
    run.execute({
      command: { type: 'cancel', actor: user('ada'), reason: 'enough' },
      now: run.now,
      mustBeAccepted: !run.isCancelling,
    });
  run.checkReplay();
  run.checkHistory();
}

interface ExecutedCommand {
  readonly command: Command;
  readonly now: number;
  readonly move?: Move | undefined;
  readonly halts?: boolean;
}

class CheckedRun {
  now = T0;
  private state: RunState | null = null;
  /** The same state as JSON, from which it is restored before each command. */
  private stored: string | null = null;
  private readonly commands: ExecutedCommand[] = [];
  private readonly openRequests = new OpenRequests();
  private readonly callLedger = new CallLedger();
  private readonly tokenLedger: TokenLedger;
  private version: Version;
  private mayGetStuck: boolean;
  private hash = GENESIS_HASH;
  private readonly observer = new ObservedRun();
  private storedHash = GENESIS_HASH;
  private endCount = 0;

  constructor(private readonly model: CheckedModel) {
    this.version = model.version;
    this.mayGetStuck = model.mayGetStuck;
    this.tokenLedger = new TokenLedger(model.version.graph);
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

  get hasLongHistory(): boolean {
    return (this.state?.seq ?? 0) > MAX_EVENTS;
  }

  choose(step: StepSketch): ChosenCommand & { readonly move?: Move } {
    if (this.state === null) throw new Error('The run has not started.');
    const { kind } = step;
    if (kind !== 'migrate') return chooseCommand(this.state, { ...step, kind }, this.now);
    const move = chooseMove(this.model.versions, this.version, this.state, step.pick, step.variant);
    // A join that is already stuck is a reason to refuse a migration.
    return {
      command: move.command,
      now: this.now,
      mustBeAccepted: !this.mayGetStuck && mustMigrationSucceed(move, this.state),
      move,
    };
  }

  execute(executed: ExecutedCommand & Pick<ChosenCommand, 'mustBeAccepted'>): void {
    const { command, now, mustBeAccepted, move } = executed;
    const before = this.state;
    this.now = now;
    this.commands.push(executed);
    const result = advance(this.version.graph, before, command, {
      ...buildCommandContext(executed, 'graph'),
      observer: this.observer,
    });
    this.observer.onCommandDone(result, move !== undefined && result.refusal === null ? move.to : this.version);
    if (mustBeAccepted && before?.outcome === null)
      assertProperty(result.refusal === null, `${command.type} is accepted (${JSON.stringify(result.refusal)})`);
    if (result.refusal !== null) checkRefusal(before, result);
    this.checkEnd(before, command, result);
    this.hash = chainHash(this.hash, result);
    this.checkReload(executed, result);
    if (move !== undefined && result.refusal === null && before !== null) this.move(move, before, result.state);
    this.state = deepFreeze(result.state);
    this.openRequests.apply(command, result);
    this.tokenLedger.apply(result);
    this.callLedger.apply(result);
    checkState(this.version.graph, result.state);
    this.checkNotStuck(result.state);
  }

  private move(move: Move, before: RunState, after: RunState): void {
    checkMigration(move, before, after);
    this.version = move.to;
    this.tokenLedger.move(move, move.to.graph);
    // The tokens may be at elements that tokens of the target never reach together.
    if (move.kind === 'other') this.mayGetStuck = true;
  }

  /** Checks that another process produces the same result from the stored state and its own graph. */
  private checkReload(executed: ExecutedCommand, result: AdvanceResult): void {
    const state = this.stored === null ? null : (JSON.parse(this.stored) as RunState);
    // A new graph object bypasses all caches that are keyed by graph.
    const reloaded = advance(
      { ...this.version.recompiled },
      state,
      executed.command,
      buildCommandContext(executed, 'recompiled'),
    );
    this.stored = JSON.stringify(reloaded.state);
    this.storedHash = chainHash(this.storedHash, reloaded);
    assertProperty(
      this.stored === JSON.stringify(result.state),
      'a run that is stored and reloaded after each command has the same state',
    );
    assertProperty(
      this.storedHash === this.hash,
      'a run that is stored and reloaded after each command has the same history',
    );
    assertProperty(
      JSON.stringify(reloaded.requests) === JSON.stringify(result.requests),
      'a run that is stored and reloaded after each command emits the same requests',
    );
  }

  /** Checks that the commands are sufficient to reproduce the run. */
  checkReplay(): void {
    let state: RunState | null = null;
    let hash = GENESIS_HASH;
    let { graph } = this.model.version;
    for (const executed of this.commands) {
      const { move } = executed;
      const command = JSON.parse(JSON.stringify(executed.command)) as Command;
      const result: AdvanceResult = advance(graph, state, command, buildCommandContext(executed, 'graph'));
      state = result.state;
      hash = chainHash(hash, result);
      if (move !== undefined && result.refusal === null) graph = move.to.graph;
    }
    assertProperty(hash === this.hash, 'replaying the commands gives the same event hashes');
  }

  /** Checks that the history is sufficient to reproduce the run. */
  checkHistory(): void {
    this.observer.checkReplay();
  }

  private checkEnd(before: RunState | null, command: Command, { events, state, refusal }: AdvanceResult): void {
    this.endCount += events.filter(({ type }) => /^run\.(completed|failed|cancelled|rejected)$/.test(type)).length;
    assertProperty(
      this.endCount === (state.outcome === null ? 0 : 1),
      'the history contains one event for the outcome of an ended run, and otherwise none',
    );
    assertProperty(
      before === null || before.outcome === null || before.outcome === state.outcome,
      'the outcome of a run does not change',
    );
    if (before !== null && before.outcome !== null && command.type !== 'artifact.record')
      assertProperty(refusal?.code === 'run_already_ended', 'a run that has ended refuses the command');
  }

  /**
   * Checks that an active run has a wait or an incident, and that it accepts the commands for its waits. Only a run of
   * an unsound model may have neither: its tokens wait at joins for tokens that never arrive. Such a run is displayed
   * as stuck and can be cancelled.
   */
  private checkNotStuck(state: RunState): void {
    if (state.outcome !== null) return;
    const instances = Object.values(state.instances);
    const waits = instances.flatMap((each) => each.waits ?? []);
    const hasDeclaredWait = waits.length > 0 || instances.some((each) => each.incident !== undefined);
    if (!hasDeclaredWait) assertProperty(this.mayGetStuck, 'an active run of a sound model has a wait or an incident');
    if (!hasDeclaredWait)
      assertProperty(
        instances.some((each) => each.joins !== undefined || each.resets !== undefined),
        'an active run without waits and incidents has tokens at a join',
      );
    const acceptedCommands = waits
      .flatMap((wait) => chooseWaitCommand(wait, 1, this.now) ?? [])
      .filter((each) => each.mustBeAccepted);
    // Two commands per state are enough: over many runs, the commands for all kinds of waits are tried.
    for (const { command, now } of acceptedCommands.slice(0, 2)) {
      assertProperty(
        advance(this.version.graph, state, command, buildContext(now)).refusal === null,
        `${command.type} is accepted if the state has a wait for it`,
      );
    }
  }
}

const HALT = { code: 'command_not_storable', message: 'The command cannot be stored.' } as const;

function buildCommandContext({ now, move, halts = false }: ExecutedCommand, graphKey: keyof Version): AdvanceContext {
  const context = { ...buildContext(now), ...(halts ? { halt: HALT } : {}) };
  if (move === undefined) return context;
  return {
    ...context,
    target: { ...move.to[graphKey] },
    ...(move.claimedJobs === undefined ? {} : { claimedJobs: move.claimedJobs }),
  };
}

function checkRefusal(before: RunState | null, { refusal, state, events, requests }: AdvanceResult): void {
  // The refusal of a vote on a stale subject opens a new round.
  if (refusal?.code === 'stale_digest') return;
  assertProperty(
    state === before && events.length === 0 && requests.length === 0,
    `a command that is refused (${refusal?.code ?? ''}) changes nothing`,
  );
}

function chainHash(previous: string, { events }: AdvanceResult): string {
  return (
    chainEvents(
      RUN_ID,
      previous,
      events,
      (seq) => seq.toString(16).padStart(32, '0'),
      new PersonSalts({}, () => 'c'.repeat(32)),
    ).at(-1)?.hash ?? previous
  );
}

/** Freezes a value deeply, so that writing to it throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) deepFreeze(each);
  return value;
}
