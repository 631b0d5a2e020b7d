import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ApiError, type ClockPort, type JsonObject } from '@countersign/core/plugin';
import type {
  EvaluateConditionsRequest,
  EvaluatedConditions,
  RequestContext,
  StartConditionRecord,
  StoragePort,
} from '@countersign/core/ports';
import { type EvaluationScope, type Expression, randomId } from '@countersign/model';
import type { CommandQueue } from '../command-queue.js';
import { isPermanentRefusal } from '../error-classification.js';
import type { WorkflowCache } from '../workflow-cache.js';
import { startCommand } from './event-runs.js';

/** Conditions that one request looks at. */
const MAX_CONDITIONS = 1_000;
/** Steps of FEEL that they may take together: as many as one command of a run may. */
const MAX_STEPS = 2_000_000;
/** Runs that one request starts. */
const MAX_STARTS = 100;

/** The start events whose conditions hold: decided before any run is started. */
interface Plan {
  readonly planId: string;
  readonly starts: readonly StartConditionRecord[];
}

/**
 * Starts runs by conditions, when somebody asks for it.
 *
 * Under an idempotency key, what will be started is stored first. So a request that is repeated, also after a server died
 * in the middle of it, starts the rest of them, and no run of a workflow that was deployed meanwhile.
 */
export class StartConditions {
  /** Versions never change, and a condition is far smaller than the graph that it is part of. */
  private readonly conditions = new LRUCache<string, Expression>({ max: MAX_CONDITIONS });
  private readonly keysInFlight = new Set<string>();

  constructor(
    private readonly storage: Pick<StoragePort, 'findStoredResponses' | 'findStartConditions' | 'storeResponse'>,
    private readonly workflows: Pick<WorkflowCache, 'get' | 'guessNewest'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly clock: ClockPort,
  ) {}

  async evaluate(request: EvaluateConditionsRequest): Promise<EvaluatedConditions> {
    const { idempotency } = request.context;
    if (idempotency === undefined) return this.carryOut(request);
    const key = `${idempotency.scope}\n${idempotency.key}`;
    if (this.keysInFlight.has(key))
      throw new ApiError(
        'idempotency_in_flight',
        'The first request with this Idempotency-Key is still being worked on.',
      );
    this.keysInFlight.add(key);
    try {
      return await this.carryOut(request);
    } finally {
      this.keysInFlight.delete(key);
    }
  }

  private async carryOut(request: EvaluateConditionsRequest): Promise<EvaluatedConditions> {
    const { plan, replayed } = await this.planned(request);
    const attempts = await Promise.allSettled(plan.starts.map((start, index) => this.start(start, index, request)));
    const started: EvaluatedConditions['started'][number][] = [];
    const failures: { readonly start: StartConditionRecord; readonly error: unknown }[] = [];
    for (const [index, start] of plan.starts.entries()) {
      const attempt = attempts[index];
      if (attempt?.status === 'fulfilled') started.push({ ...placeOf(start), runId: attempt.value });
      else failures.push({ start, error: attempt?.reason });
    }
    const isNamed = request.workflowId !== undefined && started.length === 0;
    const refused = failures.map(({ start, error }) => {
      if (isNamed || !isPermanentRefusal(error)) throw error;
      return { ...placeOf(start), code: error.code, message: error.message };
    });
    return { started, refused, replayed };
  }

  private async planned(request: EvaluateConditionsRequest): Promise<{ plan: Plan; replayed: boolean }> {
    const { idempotency } = request.context;
    if (idempotency === undefined) return { plan: await this.plan(request), replayed: false };
    const [known] = await this.storage.findStoredResponses([idempotency]);
    const own = known === undefined ? await this.plan(request) : undefined;
    const kept =
      known ?? (await this.storage.storeResponse({ ...idempotency, response: own as unknown as JsonObject }));
    if (kept.requestDigest !== idempotency.requestDigest) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Use a new one.',
      );
    }
    const plan = kept.response as unknown as Plan;
    // Another server may have stored its own in the meantime.
    return { plan, replayed: plan.planId !== own?.planId };
  }

  private async plan({ variables, workflowId }: EvaluateConditionsRequest): Promise<Plan> {
    const found = await this.storage.findStartConditions(MAX_CONDITIONS + 1, workflowId);
    if (found.length > MAX_CONDITIONS) throw tooMany(`More than ${MAX_CONDITIONS} start events have conditions.`);
    if (found.length === 0 && workflowId !== undefined) await this.workflows.guessNewest(workflowId);
    const now = this.clock.now();
    const meter = { steps: 0 };
    const starts: StartConditionRecord[] = [];
    for (const each of found) {
      // Any one of its triggers makes an event happen (BPMN 2.0, table 10.84 "Multiple"), once.
      if (starts.some((start) => start.workflowId === each.workflowId && start.elementId === each.elementId)) continue;
      if (holds(await this.conditionOf(each), variables, { now, meter })) starts.push(each);
      if (meter.steps > MAX_STEPS)
        throw tooMany(`Looking at the conditions takes more than ${MAX_STEPS} steps of FEEL.`);
      // Many of them together may take their time.
      await setImmediate();
    }
    if (starts.length > MAX_STARTS)
      throw tooMany(
        `The conditions of ${starts.length} start events hold, and ${MAX_STARTS} runs are started at once.`,
      );
    return { planId: randomId(now), starts };
  }

  private async conditionOf({ workflowId, version, elementId, trigger }: StartConditionRecord): Promise<Expression> {
    const key = JSON.stringify([workflowId, version, elementId, trigger]);
    const known = this.conditions.get(key);
    if (known !== undefined) return known;
    const node = (await this.workflows.get(workflowId, version)).graph.nodes.get(elementId);
    const found = node !== undefined && 'triggers' in node ? node.triggers[trigger] : undefined;
    if (found?.kind !== 'condition')
      throw new Error(`"${elementId}" of workflow "${workflowId}" does not start runs by a condition.`);
    this.conditions.set(key, found.condition);
    return found.condition;
  }

  /** @returns the id of the run */
  private async start(
    { workflowId, version, elementId, trigger }: StartConditionRecord,
    index: number,
    request: EvaluateConditionsRequest,
  ): Promise<string> {
    const { variables: payload, businessKey, admit } = request;
    await admit({ workflowId, version });
    const runId = this.queue.newRunId();
    const context = contextOf(request, index);
    const { response } = await this.queue.submit({
      target: { kind: 'new', runId, workflowId, version, onlyNewest: false },
      context,
      action: 'run.start',
      respond: () => ({ runId }),
      command: (workflow) => ({
        ...startCommand(workflow, runId, context.actor),
        businessKey,
        startEvent: { elementId, trigger, payload },
      }),
    });
    return String(response['runId']);
  }
}

/** The key is that of the request as a whole; each start of its plan has one of its own, so that it is made once. */
function contextOf({ context }: EvaluateConditionsRequest, index: number): RequestContext {
  const { idempotency, ...who } = context;
  if (idempotency === undefined) return who;
  return {
    ...who,
    idempotency: { ...idempotency, scope: `${idempotency.scope}:start`, key: `${index} ${idempotency.key}` },
  };
}

/** A condition that can't be evaluated does not hold: what it reads is not there. */
function holds(condition: Expression, variables: JsonObject, bounds: Pick<EvaluationScope, 'now' | 'meter'>): boolean {
  const isGiven = (name: string | undefined): boolean => name !== undefined && Object.hasOwn(variables, name);
  // As at conditions within a run, it is a variable that is set which makes it true.
  if (condition.reads.length > 0 && !condition.reads.some(([name]) => isGiven(name))) return false;
  try {
    return (
      condition.evaluate({ variables: { get: (name) => (isGiven(name) ? variables[name] : undefined) }, ...bounds }) ===
      true
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function placeOf({
  workflowId,
  version,
  elementId,
}: StartConditionRecord): Pick<StartConditionRecord, 'workflowId' | 'version' | 'elementId'> {
  return { workflowId, version, elementId };
}

function tooMany(found: string): ApiError {
  return new ApiError('too_many_conditions', `${found} Name one workflow; nothing was started.`);
}
