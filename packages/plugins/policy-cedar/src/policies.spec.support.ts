import { type PolicyCall, type PolicyFunction, type PolicyRequest, resolvePorts } from '@countersign/model';
import { makePolicy } from './load-policy.js';
import { PolicyInvalidError } from './policy-issue.js';

export function step(stepType: string, more: Partial<PolicyRequest> = {}): PolicyRequest {
  return {
    runId: '01900000-0000-7000-8000-000000000000',
    workflowId: 'process',
    workflowVersion: 1,
    workflowDigest: 'sha256:00',
    elementId: 'element',
    elementName: 'Element',
    stepType,
    jobType: null,
    headers: {},
    properties: {},
    inputs: {},
    agentName: null,
    call: null,
    effect: null,
    hosts: [],
    ports: resolvePorts(more.hosts ?? []),
    taint: [],
    startedBy: 'ann',
    runRisk: 'low',
    ...more,
  };
}

export function call(facts: Partial<PolicyCall> = {}, more: Partial<PolicyRequest> = {}): PolicyRequest {
  const tool = facts.tool ?? 'http.request';
  return step('serviceTask', {
    jobType: 'agent',
    agentName: 'triage',
    headers: { agent: 'triage', tools: `${tool}, human.ask` },
    hosts: facts.hosts ?? [],
    ports: resolvePorts(facts.hosts ?? []),
    call: {
      tool,
      toolDigest: 'sha256:00',
      effect: 'read',
      reversible: true,
      hosts: [],
      artifacts: [],
      arguments: {},
      edited: false,
      ...facts,
    },
    ...more,
  });
}

/** Compiles the policies of one file with the schema of the server. */
export async function compilePolicy(
  text: string,
  more: Readonly<Record<string, string>> = {},
): Promise<PolicyFunction> {
  return (await makePolicy('test', { 'test.cedar': text, ...more })).policy;
}

/** Returns the errors that are reported for a file. */
export async function findIssues(
  text: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  try {
    await compilePolicy(text, more);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyInvalidError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}
