import { inject, injectable } from 'inversify';
import { RetryableFailure, isRetryableFailure } from '../../contributions/job-handler.js';
import { isToolError, type ToolCall, type ToolOutput } from '../../contributions/tool.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { canonicalJson, type ProposedCall } from '@countersign/model';
import type { AgentCallJob, CallOutcome } from '../../ports/agent-runtime.js';
import { AgentSettings } from './agent-settings.js';
import { callResult, errorResult } from './call-result.js';
import { withTimeLimit } from './with-time-limit.js';
import { proposeCall, unknownCall } from './propose-call.js';
import { Redactor } from './redactor.js';
import { ToolRegistry } from './tool-registry.js';

/** Attempts of a read-only call before the language model receives an error. */
const READ_ATTEMPTS = 3;

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
    const now =
      tool === undefined
        ? unknownCall(call.tool, call.toolCallId, call.arguments, [])
        : proposeCall(tool, call.toolCallId, call.arguments);
    if (tool === undefined || !isSame(now, call)) return { kind: 'changed', call: now };
    if (job.isRedelivered && tool.unknownOutcome === 'park')
      return await this.unknown(job, 'Another worker started the call and never reported its outcome.');
    if (job.isRedelivered && tool.unknownOutcome === 'lookup') {
      const found = await this.lookUp(tool, job);
      if (found !== 'not made') return found;
    }
    return this.make(tool, job);
  }

  private async make(tool: AgentTool, job: AgentCallJob): Promise<CallOutcome> {
    try {
      return await this.result(tool, await this.within(job, (call) => tool.call(job.call.arguments, call)));
    } catch (error) {
      if (job.signal.aborted) throw error;
      if (isToolError(error)) return this.errorResult(tool, error.code, error.message);
      if (isRetryableFailure(error)) throw await this.retryable(error.code, error, error.retryAfterMs);
      return this.afterException(tool, job, error);
    }
  }

  /** Handles an unexpected error, after which it is unknown whether the call was executed. */
  private async afterException(tool: AgentTool, job: AgentCallJob, error: unknown): Promise<CallOutcome> {
    if (tool.effect === 'read') {
      if (job.attempt < READ_ATTEMPTS) throw await this.retryable('tool_failed', error);
      return this.errorResult(tool, 'tool_failed', messageOf(error));
    }
    switch (tool.unknownOutcome) {
      case 'repeat':
        throw await this.retryable('tool_failed', error);
      case 'lookup': {
        const found = await this.lookUp(tool, job);
        if (found === 'not made') throw await this.retryable('tool_failed', error);
        return found;
      }
      case 'park':
        return this.unknown(job, messageOf(error));
    }
  }

  private async lookUp(tool: AgentTool, job: AgentCallJob): Promise<CallOutcome | 'not made'> {
    try {
      const found = await this.within(job, (call) => tool.lookUp(job.call.arguments, call));
      if (found.made === false) return 'not made';
      return await (found.made === true
        ? this.result(tool, found.output)
        : this.unknown(job, `${tool.name} cannot determine whether the call was executed.`));
    } catch (error) {
      if (job.signal.aborted) throw error;
      // An operator may know what the lookup cannot find out.
      if (job.attempt >= READ_ATTEMPTS)
        return this.unknown(job, `${tool.name} could not look up the call: ${messageOf(error)}`);
      const { retryAfterMs } = isRetryableFailure(error) ? error : {};
      return {
        kind: 'open',
        code: 'tool_lookup_failed',
        message: await this.redactor.textInTurns(messageOf(error)),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
  }

  private within<T>(job: AgentCallJob, work: (call: ToolCall) => Promise<T>): Promise<T> {
    const { call, state, runId, workflowId, elementId, stepId, attempt, variables, inputs, taints, artifacts } = job;
    const given = {
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
    return withTimeLimit(this.settings.toolTimeoutMs, job.signal, (signal) => work({ ...given, signal }));
  }

  private async result({ name }: AgentTool, output: ToolOutput): Promise<CallOutcome> {
    return {
      kind: 'result',
      result: callResult(name, { ...output, content: await this.redactor.jsonInTurns(output.content) }),
    };
  }

  private async errorResult({ name }: AgentTool, code: string, message: string): Promise<CallOutcome> {
    return { kind: 'result', result: errorResult(name, code, await this.redactor.textInTurns(message)) };
  }

  private async unknown({ call }: AgentCallJob, why: string): Promise<CallOutcome> {
    return {
      kind: 'unknown',
      message: `It is unknown whether ${call.tool} was called. ${await this.redactor.textInTurns(why)}`,
    };
  }

  private async retryable(code: string, error: unknown, retryAfterMs?: number): Promise<RetryableFailure> {
    return new RetryableFailure(
      code,
      await this.redactor.textInTurns(messageOf(error)),
      retryAfterMs,
      this.redactor.cause(error),
    );
  }
}

/** Returns whether a call is unchanged since the policy decision. Calls proposed before ADR 140 have no ports. */
function isSame(now: ProposedCall, call: ProposedCall): boolean {
  return (
    now.problem === null &&
    canonicalJson(comparable(now)) === canonicalJson(comparable(call)) &&
    (call.ports === undefined || canonicalJson(now.ports ?? []) === canonicalJson(call.ports))
  );
}

/** Everything that the policy decides by, except the ports. */
function comparable({
  tool,
  toolDigest,
  effect,
  reversible,
  hosts,
  artifacts,
  arguments: given,
}: ProposedCall): Omit<Required<ProposedCall>, 'ports' | 'toolCallId' | 'problem' | 'question'> {
  return { tool, toolDigest, effect, reversible, hosts, artifacts, arguments: given };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
