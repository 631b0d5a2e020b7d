import { type PolicyCall, type PolicyFunction, type PolicyRequest, resolvePorts } from '@countersign/model';
import { makePolicy } from './load-policy.js';
import { PolicyInvalidError } from './policy-issue.js';

export function buildStepRequest(stepType: string, overrides: Partial<PolicyRequest> = {}): PolicyRequest {
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
    ports: resolvePorts(overrides.hosts ?? []),
    taint: [],
    startedBy: 'ann',
    runRisk: 'low',
    ...overrides,
  };
}

export function buildCallRequest(
  callOverrides: Partial<PolicyCall> = {},
  overrides: Partial<PolicyRequest> = {},
): PolicyRequest {
  const tool = callOverrides.tool ?? 'http.request';
  return buildStepRequest('serviceTask', {
    jobType: 'agent',
    agentName: 'triage',
    headers: { agent: 'triage', tools: `${tool}, human.ask` },
    hosts: callOverrides.hosts ?? [],
    ports: resolvePorts(callOverrides.hosts ?? []),
    call: {
      tool,
      toolDigest: 'sha256:00',
      effect: 'read',
      reversible: true,
      hosts: [],
      artifacts: [],
      arguments: {},
      edited: false,
      ...callOverrides,
    },
    ...overrides,
  });
}

/** Compiles the policies of one file with the schema of the server. */
export async function compilePolicy(
  text: string,
  otherFiles: Readonly<Record<string, string>> = {},
): Promise<PolicyFunction> {
  return (await makePolicy('test', { 'test.cedar': text, ...otherFiles })).policy;
}

/** Returns the errors that are reported for a file. */
export async function findIssues(
  text: string,
  otherFiles: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  try {
    await compilePolicy(text, otherFiles);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyInvalidError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}
