import type { AgentCall, ElementInstance, PinnedArtifact, ToolCallSubject } from '@countersign/model';
import type { Execution } from '../execution.js';

/** Returns the subject of a call's approval: the call as it was assessed, and as it will be executed. */
export function buildCallSubject(
  execution: Execution,
  { elementId, agent }: ElementInstance,
  call: AgentCall,
): ToolCallSubject {
  const { state } = execution;
  const { callId, tool, toolDigest, effect, reversible, hosts, taint, policy } = call;
  return {
    kind: 'tool_call',
    runId: state.runId,
    elementId,
    callId,
    tool,
    toolDigest,
    effect,
    reversible,
    hosts,
    taint,
    inputs: call.arguments,
    agent: { name: agent?.agent ?? '', definitionDigest: agent?.definitionDigest ?? '' },
    evidence: call.pinned,
    editedBy: call.editedBy ?? null,
    policy: policy ?? { id: '', digest: '' },
    definition: { workflowId: state.workflowId, workflowVersion: state.workflowVersion, digest: state.workflowDigest },
  };
}

/** Returns the artifacts that a call reads, in their current versions. */
export function pinArtifacts(execution: Execution, { artifacts }: Pick<AgentCall, 'artifacts'>): PinnedArtifact[] {
  const { artifacts: storedArtifacts } = execution.state;
  return artifacts.map((name) => {
    const found = Object.hasOwn(storedArtifacts, name) ? storedArtifacts[name] : undefined;
    return { name, version: found?.version ?? null, sha256: found?.sha256 ?? null };
  });
}
