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
import { type EvaluationScope, type Expression, createRandomId } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { isPermanentRefusal } from '../commands/error-classification.js';
import type { WorkflowCache } from '../caches/workflow-cache.js';
import { buildStartCommand } from './start-run-by-event.js';

/** Maximum number of conditions that one request evaluates. */
const MAX_CONDITIONS = 1_000;
/** Maximum number of FEEL steps of all conditions together; the same limit as for one command of a run. */
const MAX_FEEL_STEPS = 2_000_000;
/** Maximum number of runs that one request starts. */
const MAX_STARTS = 100;

/** Start events whose conditions hold, determined before any run is started. */
interface StartPlan {
  readonly planId: string;
  readonly starts: readonly StartConditionRecord[];
}

/**
 * Starts, on request, the runs whose start conditions are met. Under an idempotency key, the plan is stored first. A
 * repeated request, even after a server crash, then starts the remaining runs of the plan, but no run of a workflow
 * that was deployed since.
 */
export class StartConditions {
  /** Cache of conditions. Versions never change, and a condition is far smaller than its graph. */
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
    if (idempotency === undefined) return this.executePlan(request);
    const key = `${idempotency.scope}\n${idempotency.key}`;
    if (this.keysInFlight.has(key))
      throw new ApiError(
        'idempotency_in_flight',
        'The first request with this Idempotency-Key is still in progress. Retry it later.',
      );
    this.keysInFlight.add(key);
    try {
      return await this.executePlan(request);
    } finally {
      this.keysInFlight.delete(key);
    }
  }

  private async executePlan(request: EvaluateConditionsRequest): Promise<EvaluatedConditions> {
    const { plan, replayed } = await this.loadOrCreatePlan(request);
    const attempts = await Promise.allSettled(plan.starts.map((start, index) => this.start(start, index, request)));
    const started: EvaluatedConditions['started'][number][] = [];
    const failures: { readonly start: StartConditionRecord; readonly error: unknown }[] = [];
    for (const [index, start] of plan.starts.entries()) {
      const attempt = attempts[index];
      if (attempt?.status === 'fulfilled') started.push({ ...toElementReference(start), runId: attempt.value });
      else failures.push({ start, error: attempt?.reason });
    }
    const shouldThrowRefusals = request.workflowId !== undefined && started.length === 0;
    const refused = failures.map(({ start, error }) => {
      if (shouldThrowRefusals || !isPermanentRefusal(error)) throw error;
      return { ...toElementReference(start), code: error.code, message: error.message };
    });
    return { started, refused, replayed };
  }

  private async loadOrCreatePlan(request: EvaluateConditionsRequest): Promise<{ plan: StartPlan; replayed: boolean }> {
    const { idempotency } = request.context;
    if (idempotency === undefined) return { plan: await this.createPlan(request), replayed: false };
    const [storedResponse] = await this.storage.findStoredResponses([idempotency]);
    const newPlan = storedResponse === undefined ? await this.createPlan(request) : undefined;
    const planResponse =
      storedResponse ??
      (await this.storage.storeResponse({ ...idempotency, response: newPlan as unknown as JsonObject }));
    if (planResponse.requestDigest !== idempotency.requestDigest) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Use a new one.',
      );
    }
    const plan = planResponse.response as unknown as StartPlan;
    // Another server may have stored its own plan in the meantime.
    return { plan, replayed: plan.planId !== newPlan?.planId };
  }

  private async createPlan({ variables, workflowId }: EvaluateConditionsRequest): Promise<StartPlan> {
    const found = await this.storage.findStartConditions(MAX_CONDITIONS + 1, workflowId);
    if (found.length > MAX_CONDITIONS)
      throw tooManyConditions(`There are more than ${MAX_CONDITIONS} start conditions.`);
    if (found.length === 0 && workflowId !== undefined) await this.workflows.guessNewest(workflowId);
    const now = this.clock.now();
    const meter = { steps: 0 };
    const starts: StartConditionRecord[] = [];
    for (const each of found) {
      // One true trigger is enough for a multiple start event (BPMN 2.0, table 10.84 "Multiple"), which occurs once.
      if (starts.some((start) => start.workflowId === each.workflowId && start.elementId === each.elementId)) continue;
      if (isConditionMet(await this.loadCondition(each), variables, { now, meter })) starts.push(each);
      if (meter.steps > MAX_FEEL_STEPS)
        throw tooManyConditions(`Evaluating the conditions takes more than ${MAX_FEEL_STEPS} FEEL steps.`);
      // Yields, because many conditions together may take long.
      await setImmediate();
    }
    if (starts.length > MAX_STARTS)
      throw tooManyConditions(
        `The conditions of ${starts.length} start events are met, but one request can start at most ${MAX_STARTS} runs.`,
      );
    return { planId: createRandomId(now), starts };
  }

  private async loadCondition({ workflowId, version, elementId, trigger }: StartConditionRecord): Promise<Expression> {
    const key = JSON.stringify([workflowId, version, elementId, trigger]);
    const known = this.conditions.get(key);
    if (known !== undefined) return known;
    const node = (await this.workflows.get(workflowId, version)).graph.nodes.get(elementId);
    const found = node !== undefined && 'triggers' in node ? node.triggers[trigger] : undefined;
    if (found?.kind !== 'condition')
      throw new Error(`"${elementId}" of workflow "${workflowId}" has no such start condition.`);
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
    const context = startContext(request, index);
    const { response } = await this.queue.submit({
      target: { kind: 'new', runId, workflowId, version, onlyNewest: false },
      context,
      action: 'run.start',
      respond: () => ({ runId }),
      command: (workflow) => ({
        ...buildStartCommand(workflow, runId, context.actor),
        businessKey,
        startEvent: { elementId, trigger, payload },
      }),
    });
    return String(response['runId']);
  }
}

/**
 * Returns the context of one start. The idempotency key belongs to the whole request; each start of its plan has a
 * derived key, so that it happens once.
 */
function startContext({ context }: EvaluateConditionsRequest, index: number): RequestContext {
  const { idempotency, ...contextFields } = context;
  if (idempotency === undefined) return contextFields;
  return {
    ...contextFields,
    idempotency: { ...idempotency, scope: `${idempotency.scope}:start`, key: `${index} ${idempotency.key}` },
  };
}

/**
 * Returns whether a condition holds. A condition that cannot be evaluated, for example because an assertion fails, does
 * not hold.
 */
function isConditionMet(
  condition: Expression,
  variables: JsonObject,
  scope: Pick<EvaluationScope, 'now' | 'meter'>,
): boolean {
  const hasVariable = (name: string | undefined): boolean => name !== undefined && Object.hasOwn(variables, name);
  // As for conditions within a run, only a variable that is set can make a condition true.
  if (condition.reads.length > 0 && !condition.reads.some(([name]) => hasVariable(name))) return false;
  try {
    return (
      condition.evaluate({
        variables: { get: (name) => (hasVariable(name) ? variables[name] : undefined) },
        ...scope,
      }) === true
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function toElementReference({
  workflowId,
  version,
  elementId,
}: StartConditionRecord): Pick<StartConditionRecord, 'workflowId' | 'version' | 'elementId'> {
  return { workflowId, version, elementId };
}

function tooManyConditions(reason: string): ApiError {
  return new ApiError('too_many_conditions', `${reason} Nothing was started. Specify one workflow.`);
}
