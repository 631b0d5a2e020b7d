import { inject, injectable } from 'inversify';
import { RetryableFailure, isRetryableFailure } from '../../contributions/job-handler.js';
import { isToolError, type ToolCall, type ToolOutput } from '../../contributions/tool.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { canonicalJson, type ProposedCall } from '@countersign/model';
import type { AgentCallJob, CallOutcome } from '../../ports/agent-runtime.js';
import { AgentSettings } from './agent-settings.js';
import { toCallResult, toErrorResult } from './call-result.js';
import { withTimeLimit } from './with-time-limit.js';
import { proposeCall, proposeUnknownCall } from './propose-call.js';
import { Redactor } from './redactor.js';
import { ToolRegistry } from './tool-registry.js';

/**
 * Maximum number of attempts of a read-only call, after which the language model receives an error, and of a lookup,
 * after which an operator is asked for the outcome of the call.
 */
const MAX_READ_ATTEMPTS = 3;

/** Executes one tool call. */
@injectable()
export class ExecuteCall {
  constructor(
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(Redactor) private readonly redactor: Redactor,
    @inject(AgentSettings) private readonly settings: AgentSettings,
  ) {}

  async execute(job: AgentCallJob): Promise<CallOutcome> {
    const { call } = job;
    const tool = this.registry.find(call.tool);
    const currentCall =
      tool === undefined
        ? proposeUnknownCall(call.tool, call.toolCallId, call.arguments, [])
        : proposeCall(tool, call.toolCallId, call.arguments);
    if (tool === undefined || !isUnchanged(currentCall, call)) return { kind: 'changed', call: currentCall };
    if (job.isRedelivered && tool.unknownOutcome === 'park')
      return await this.toUnknownOutcome(job, 'Another worker started the call and never reported its outcome.');
    if (job.isRedelivered && tool.unknownOutcome === 'lookup') {
      const lookupOutcome = await this.lookUp(tool, job);
      if (lookupOutcome !== 'not made') return lookupOutcome;
    }
    return this.callTool(tool, job);
  }

  private async callTool(tool: AgentTool, job: AgentCallJob): Promise<CallOutcome> {
    try {
      return await this.toResult(
        tool,
        await this.callWithTimeLimit(job, (call) => tool.call(job.call.arguments, call)),
      );
    } catch (error) {
      if (job.signal.aborted) throw error;
      if (isToolError(error)) return this.toErrorOutcome(tool, error.code, error.message);
      if (isRetryableFailure(error)) throw await this.toRetryableFailure(error.code, error, error.retryAfterMs);
      return this.handleException(tool, job, error);
    }
  }

  /** Handles an unexpected error, after which it is unknown whether the call was executed. */
  private async handleException(tool: AgentTool, job: AgentCallJob, error: unknown): Promise<CallOutcome> {
    if (tool.effect === 'read') {
      if (job.attempt < MAX_READ_ATTEMPTS) throw await this.toRetryableFailure('tool_failed', error);
      return this.toErrorOutcome(tool, 'tool_failed', errorMessage(error));
    }
    switch (tool.unknownOutcome) {
      case 'repeat':
        throw await this.toRetryableFailure('tool_failed', error);
      case 'lookup': {
        const lookupOutcome = await this.lookUp(tool, job);
        if (lookupOutcome === 'not made') throw await this.toRetryableFailure('tool_failed', error);
        return lookupOutcome;
      }
      case 'park':
        return this.toUnknownOutcome(job, errorMessage(error));
    }
  }

  private async lookUp(tool: AgentTool, job: AgentCallJob): Promise<CallOutcome | 'not made'> {
    try {
      const lookupResult = await this.callWithTimeLimit(job, (call) => tool.lookUp(job.call.arguments, call));
      if (lookupResult.executed === false) return 'not made';
      return await (lookupResult.executed === true
        ? this.toResult(tool, lookupResult.output)
        : this.toUnknownOutcome(job, `${tool.name} cannot determine whether the call was executed.`));
    } catch (error) {
      if (job.signal.aborted) throw error;
      // An operator may be able to find out the outcome in another way.
      if (job.attempt >= MAX_READ_ATTEMPTS)
        return this.toUnknownOutcome(job, `${tool.name} could not look up the call: ${errorMessage(error)}`);
      const { retryAfterMs } = isRetryableFailure(error) ? error : {};
      return {
        kind: 'open',
        code: 'tool_lookup_failed',
        message: await this.redactor.redactTextTimeSliced(errorMessage(error)),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
  }

  private callWithTimeLimit<T>(job: AgentCallJob, work: (call: ToolCall) => Promise<T>): Promise<T> {
    const { call, state, runId, workflowId, elementId, stepId, attempt, variables, inputs, taints, artifacts } = job;
    const callContext = {
      idempotencyKey: call.callId,
      agentName: state.agent,
      runId,
      workflowId,
      elementId,
      stepId,
      attempt,
      variables,
      inputs,
      taints,
      artifacts,
    };
    return withTimeLimit(this.settings.toolTimeoutMs, job.signal, (signal) => work({ ...callContext, signal }));
  }

  private async toResult({ name }: AgentTool, output: ToolOutput): Promise<CallOutcome> {
    return {
      kind: 'result',
      result: toCallResult(name, { ...output, content: await this.redactor.redactJsonTimeSliced(output.content) }),
    };
  }

  private async toErrorOutcome({ name }: AgentTool, code: string, message: string): Promise<CallOutcome> {
    return { kind: 'result', result: toErrorResult(name, code, await this.redactor.redactTextTimeSliced(message)) };
  }

  private async toUnknownOutcome({ call }: AgentCallJob, reason: string): Promise<CallOutcome> {
    return {
      kind: 'unknown',
      message: `It is unknown whether ${call.tool} was called. ${await this.redactor.redactTextTimeSliced(reason)}`,
    };
  }

  private async toRetryableFailure(code: string, error: unknown, retryAfterMs?: number): Promise<RetryableFailure> {
    return new RetryableFailure(
      code,
      await this.redactor.redactTextTimeSliced(errorMessage(error)),
      retryAfterMs,
      this.redactor.causeUnlessSecret(error),
    );
  }
}

/** Returns whether a call is unchanged since the policy decision. Calls proposed before ADR 140 have no ports. */
function isUnchanged(currentCall: ProposedCall, call: ProposedCall): boolean {
  return (
    currentCall.problem === null &&
    canonicalJson(getComparableFields(currentCall)) === canonicalJson(getComparableFields(call)) &&
    (call.ports === undefined || canonicalJson(currentCall.ports ?? []) === canonicalJson(call.ports))
  );
}

/** Returns the fields on which the policy decision depends, except the ports. */
function getComparableFields({
  tool,
  toolDigest,
  effect,
  reversible,
  hosts,
  artifacts,
  arguments: callArguments,
}: ProposedCall): Omit<Required<ProposedCall>, 'ports' | 'toolCallId' | 'problem' | 'question'> {
  return { tool, toolDigest, effect, reversible, hosts, artifacts, arguments: callArguments };
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
