import type { PolicyFunction, PolicyRequest } from '@countersign/model';
import { makePolicy } from '@countersign/policy-cedar';

/**
 * Creates a policy function from `count` Cedar policies for different teams and tools, as a large operator may have.
 * Every tenth policy reads the call arguments.
 */
export async function createPolicyFunction(count: number): Promise<PolicyFunction> {
  const policies = Array.from({ length: count - 1 }, (_, index) => {
    const condition =
      index % 10 === 0
        ? `context.arguments.hasTag("text") && context.arguments.getTag("text").text like "*secret-${index}*"`
        : `context.workflow == Workflow::"team-${index}"`;
    return `@id("bench.${index}")\nforbid (principal, action == Action::"call", resource == Tool::"tool-${index % 50}")\nwhen { ${condition} };`;
  });
  const permit = `@id("bench.permit")\npermit (principal, action in [Action::"call", Action::"callUnattended"], resource is Tool);`;
  const { policy } = await makePolicy('bench', { 'bench.cedar': [permit, ...policies].join('\n\n') });
  return policy;
}

/** Creates a policy request for a call. Each index yields a different call. */
export function createPolicyRequest(index: number): PolicyRequest {
  return {
    runId: '01900000-0000-7000-8000-000000000000',
    workflowId: `workflow-${index}`,
    workflowVersion: 1,
    workflowDigest: `sha256:${'0'.repeat(64)}`,
    elementId: 'work',
    elementName: null,
    stepType: 'serviceTask',
    jobType: 'agent',
    headers: { agent: 'bench' },
    properties: {},
    inputs: {},
    agentName: 'bench',
    call: {
      tool: `tool-${index % 50}`,
      toolDigest: `sha256:${'1'.repeat(64)}`,
      effect: 'read',
      reversible: true,
      hosts: [`host-${index}.example.org`],
      artifacts: [],
      arguments: { number: index, text: 'something' },
      edited: false,
    },
    effect: 'read',
    hosts: [`host-${index}.example.org`],
    ports: [443],
    taint: ['webhook'],
    startedBy: 'ann',
    runRisk: 'low',
  };
}
