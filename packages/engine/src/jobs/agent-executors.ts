import { getVisibleTaints, getVisibleVariables } from '@countersign/interpreter';
import {
  type AgentRuntimePort,
  type AgentTurnJob,
  type CallOutcome,
  isRetryableFailure,
  isTerminalFailure,
  type Job,
  type PolicyPort,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import type { ClaimedJob, StoragePort } from '@countersign/core/ports';
import {
  AGENT_CALL_JOB_TYPE,
  AGENT_JOB_TYPE,
  type AgentCall,
  type AgentTurn,
  type CallResult,
  type DiscardedResponse,
  type ElementInstance,
  type ProposedCall,
} from '@countersign/model';
import { isNotStorable } from '../commands/error-classification.js';
import type { Destinations } from './destinations.js';
import { JobArtifacts, type ArtifactSources } from './job-artifacts.js';
import { toJobFailure, toJobResult, type JobFailure } from './job-values.js';
import type { RunningJob, JobExecutor } from './job-executor.js';
import { getMappedInputs } from './get-mapped-inputs.js';

/** Receiver of the results of agent jobs. */
export interface AgentResults {
  recordTurn(job: ClaimedJob, turn: AgentTurn): Promise<unknown>;
  /** Records a failed turn, together with the usage of discarded responses. */
  failTurn(job: ClaimedJob, failure: JobFailure, discarded: readonly DiscardedResponse[]): Promise<unknown>;
  recordCall(job: ClaimedJob, callContext: CallContext, result: CallResult): Promise<unknown>;
  recordNewProposal(job: ClaimedJob, callContext: CallContext, call: ProposedCall): Promise<unknown>;
  recordUnknownOutcome(job: ClaimedJob, callContext: CallContext, message: string): Promise<unknown>;
  /** Reports a failure so that the job is retried; the next attempt must assume that the call may have run. */
  retryWithUnknownOutcome(job: ClaimedJob, callContext: CallContext, failure: JobFailure): Promise<unknown>;
  putArtifact(
    job: ClaimedJob,
    callContext: CallContext | null,
    ...content: Parameters<Job['putArtifact']>
  ): ReturnType<Job['putArtifact']>;
}

/** Call that a job executes, and the agent that proposed it. */
export interface CallContext {
  readonly agentName: string;
  readonly call: AgentCall;
}

export interface AgentSources extends ArtifactSources {
  readonly storage: Pick<StoragePort, 'listArtifacts' | 'findArtifact' | 'listAgentEvents'>;
  readonly policy: Pick<PolicyPort, 'describeCurrent'>;
  readonly destinations: Pick<Destinations, 'assertUnchanged'>;
}

/**
 * Returns the executors of the agent runtime by job type: turns of language models and tool calls. They submit a
 * result even if the signal was aborted: the lease fences it, and the known outcome of a call is better than a
 * question to an operator.
 */
export function createAgentExecutors(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
): ReadonlyMap<string, JobExecutor> {
  return new Map<string, JobExecutor>([
    [AGENT_JOB_TYPE, (runningJob) => runTurn(runtime, results, sources, runningJob)],
    [AGENT_CALL_JOB_TYPE, (runningJob) => executeCall(runtime, results, sources, runningJob)],
  ]);
}

async function runTurn(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
  runningJob: RunningJob,
): ReturnType<JobExecutor> {
  const { job, instance, signal, currentClaim } = runningJob;
  const discarded: DiscardedResponse[] = [];
  sources.destinations.assertUnchanged(runningJob);
  try {
    const turn = await runtime.runTurn({
      ...toJobContext(
        runningJob,
        new JobArtifacts(job.runId, [], sources, (...content) => results.putArtifact(currentClaim(), null, ...content)),
      ),
      state: structuredClone(instance.agent ?? null),
      loadHistory: () => sources.storage.listAgentEvents(job.runId, job.stepId),
      reportDiscarded: (response) => void discarded.push(toStorable(response)),
    });
    const recorded = toStorableTurn(turn, discarded);
    return () => reportTurn(results, currentClaim, recorded);
  } catch (error) {
    if (signal.aborted || discarded.length === 0) throw error;
    const failure = toJobFailure(error);
    return () => results.failTurn(currentClaim(), failure, discarded);
  }
}

/**
 * Returns the turn as it is stored.
 *
 * @throws {TerminalFailure} if it cannot be stored; the response is then recorded as discarded
 */
function toStorableTurn(turn: AgentTurn, discarded: DiscardedResponse[]): AgentTurn {
  try {
    return toStorable(turn);
  } catch (error) {
    discarded.push(toStorable(toDiscardedResponse(turn)));
    throw error;
  }
}

/**
 * Reports a turn. If the run cannot store it, a failure with the usage is reported, because the turn was paid for
 * anyway.
 */
async function reportTurn(
  results: AgentResults,
  currentClaim: RunningJob['currentClaim'],
  turn: AgentTurn,
): Promise<unknown> {
  try {
    return await results.recordTurn(currentClaim(), turn);
  } catch (error) {
    if (!isNotStorable(error)) throw error;
    const { code, message } = error;
    return results.failTurn(currentClaim(), { code, message, retryable: false }, [toDiscardedResponse(turn)]);
  }
}

function toDiscardedResponse({
  agent,
  definitionDigest,
  provider,
  model,
  usage,
  budget,
}: AgentTurn): DiscardedResponse {
  return { agent, definitionDigest, provider, model, usage, budget };
}

async function executeCall(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
  runningJob: RunningJob,
): ReturnType<JobExecutor> {
  const { job, instance, signal, currentClaim } = runningJob;
  const { callId } = job;
  if (callId === undefined) {
    throw new TerminalFailure(
      'job_type_reserved',
      `The job type "${AGENT_CALL_JOB_TYPE}" is reserved for tool calls of agents. Use another job type for the task.`,
    );
  }
  const state = structuredClone(instance.agent);
  const call = state?.calls.find((each) => each.callId === callId);
  // The agent has dropped the call in the meantime, so the job of the call is withdrawn.
  if (state === undefined || call === undefined) return undefined;
  const callContext = { agentName: state.agent, call };
  const isRedelivered = job.epoch > job.attempt;
  if (!isRedelivered && hasPolicyChanged(call, sources.policy))
    return prepareOutcomeReport(results, callContext, { kind: 'changed', call: toProposedCall(call) }, runningJob);
  let outcome: CallOutcome;
  try {
    outcome = await runtime.executeCall({
      ...toJobContext(
        runningJob,
        new JobArtifacts(job.runId, call.pinned, sources, (...content) =>
          results.putArtifact(currentClaim(), callContext, ...content),
        ),
      ),
      state,
      call: structuredClone(call),
      isRedelivered,
    });
  } catch (error) {
    if (signal.aborted || !hasUnknownOutcome(runningJob, call, isRedelivered, error)) throw error;
    return () => results.recordUnknownOutcome(currentClaim(), callContext, toJobFailure(error).message);
  }
  // A call that may have run must not be proposed again as if it had not run.
  if (outcome.kind === 'changed' && isRedelivered && call.effect === 'write')
    outcome = {
      kind: 'unknown',
      message: `Another worker had started the call, and the definition of ${call.tool} has changed since.`,
    };
  return prepareOutcomeReport(results, callContext, outcome, runningJob);
}

/**
 * Returns whether a write was evaluated under a policy that is no longer in force here: the call may have waited long,
 * or been attempted before.
 */
function hasPolicyChanged({ effect, policy }: AgentCall, port: Pick<PolicyPort, 'describeCurrent'>): boolean {
  const currentDigest = port.describeCurrent?.().digest;
  return effect === 'write' && policy !== undefined && currentDigest !== undefined && currentDigest !== policy.digest;
}

/** Returns the call as a proposal, without its policy decision. */
function toProposedCall({
  toolCallId,
  tool,
  toolDigest,
  effect,
  reversible,
  hosts,
  ports,
  artifacts,
  arguments: callArguments,
  problem,
  question,
}: AgentCall): ProposedCall {
  return {
    toolCallId,
    tool,
    toolDigest,
    effect,
    reversible,
    hosts,
    ...(ports === undefined ? {} : { ports }),
    artifacts,
    arguments: callArguments,
    problem,
    question,
  };
}

function prepareOutcomeReport(
  results: AgentResults,
  callContext: CallContext,
  outcome: CallOutcome,
  runningJob: RunningJob,
): () => Promise<unknown> {
  const { currentClaim } = runningJob;
  switch (outcome.kind) {
    case 'result': {
      const result = toStorableResult(outcome.result, callContext.call);
      return () => results.recordCall(currentClaim(), callContext, result);
    }
    case 'changed': {
      const call = toStorable(outcome.call);
      return () => results.recordNewProposal(currentClaim(), callContext, call);
    }
    case 'open': {
      const failure = toJobFailure(new RetryableFailure(outcome.code, outcome.message, outcome.retryAfterMs));
      return () =>
        isLastAttempt(runningJob)
          ? results.recordUnknownOutcome(currentClaim(), callContext, failure.message)
          : results.retryWithUnknownOutcome(currentClaim(), callContext, failure);
    }
    case 'unknown': {
      const { message } = toJobFailure(new Error(outcome.message));
      return () => results.recordUnknownOutcome(currentClaim(), callContext, message);
    }
  }
}

/**
 * Returns whether a failed call may have run anyway and no further attempt will check. A retryable or terminal failure
 * proves that this attempt did not run the call, but proves nothing about an earlier attempt whose worker was lost.
 * While attempts remain, the next attempt checks.
 */
function hasUnknownOutcome(
  runningJob: RunningJob,
  { effect }: AgentCall,
  isRedelivered: boolean,
  error: unknown,
): boolean {
  if (effect === 'read') return false;
  if (!isRetryableFailure(error) && !isTerminalFailure(error)) return true;
  return isRedelivered && (isTerminalFailure(error) || isLastAttempt(runningJob));
}

function isLastAttempt({ job, instance }: RunningJob): boolean {
  const wait = instance.waits?.find((each) => each.kind === 'job' && each.jobId === job.jobId);
  return wait?.kind !== 'job' || wait.retries <= 1;
}

/**
 * Returns the context of a job. It contains copies, because later commands are evaluated on the state and a tool may
 * modify its input.
 */
function toJobContext(
  { job, state, instance, node, signal }: RunningJob,
  artifacts: JobArtifacts,
): Omit<AgentTurnJob, 'state' | 'loadHistory' | 'reportDiscarded'> {
  const find = (key: number): ElementInstance | undefined => state.instances[key];
  return {
    jobId: job.jobId,
    runId: job.runId,
    workflowId: state.workflowId,
    stepId: job.stepId,
    elementId: job.elementId,
    attempt: job.attempt,
    headers: node.headers,
    variables: structuredClone(getVisibleVariables(find, instance)),
    inputs: structuredClone(getMappedInputs(node.inputs, instance)),
    taints: structuredClone(getVisibleTaints(find, instance) ?? {}),
    toolConstraints: job.toolConstraints,
    artifacts,
    signal,
  };
}

/**
 * Returns the value as it is stored.
 *
 * @throws {TerminalFailure} if it cannot be stored
 */
function toStorable<T extends AgentTurn | DiscardedResponse | ProposedCall>(value: T): T {
  return toJobResult(value) as unknown as T;
}

/**
 * Returns the result of a call as it is stored. If it cannot be stored, the call is still recorded as made, with an
 * error result that the language model sees.
 */
function toStorableResult(result: CallResult, { tool }: AgentCall): CallResult {
  try {
    return toJobResult(result) as unknown as CallResult;
  } catch (error) {
    const { code, message } = toJobFailure(error);
    return { content: { error: code, message }, isError: true, taint: [`tool:${tool}`] };
  }
}
