import { expect } from 'chai';
import type { PolicyFunction, PolicyRequest } from '@countersign/model';
import { makePolicy } from './load-policy.js';
import { buildCallRequest, compilePolicy, buildStepRequest } from './policies.spec.support.js';

const PERMIT_ALL = '@id("all") permit (principal, action, resource);';

/**
 * For each property, the rest of a policy that matches only the second request, and two requests that differ in the
 * property.
 */
const DIFFERING_REQUESTS: readonly (readonly [string, string, PolicyRequest, PolicyRequest])[] = [
  [
    'the element name',
    'perform", resource) when { resource has name && resource.name == "b" }',
    buildStepRequest('userTask', { elementName: 'a' }),
    buildStepRequest('userTask', { elementName: 'b' }),
  ],
  [
    'the effect of a step',
    'perform", resource) when { resource has effect && resource.effect == "write" }',
    buildStepRequest('serviceTask'),
    buildStepRequest('serviceTask', { effect: 'write' }),
  ],
  [
    'the element',
    'perform", resource == Step::"process/b")',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { elementId: 'b' }),
  ],
  [
    'the workflow',
    'perform", resource in Workflow::"b")',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { workflowId: 'b' }),
  ],
  [
    'the workflow version',
    'perform", resource) when { context.workflowVersion > 1 }',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { workflowVersion: 2 }),
  ],
  [
    'the workflow digest',
    'perform", resource) when { context.workflowDigest == "b" }',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { workflowDigest: 'b' }),
  ],
  [
    'the person who started the run',
    'perform", resource) when { context.startedBy == "b" }',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { startedBy: 'b' }),
  ],
  [
    'the risk of the run',
    'perform", resource) when { context.runRisk == "high" }',
    buildStepRequest('scriptTask'),
    buildStepRequest('scriptTask', { runRisk: 'high' }),
  ],
  [
    'taint',
    'perform", resource) when { context.taint.contains("b") }',
    buildStepRequest('userTask'),
    buildStepRequest('userTask', { taint: ['b'] }),
  ],
  [
    'tools',
    'perform", resource) when { context.tools.contains("b") }',
    buildStepRequest('serviceTask', { headers: { tools: 'a' } }),
    buildStepRequest('serviceTask', { headers: { tools: 'b' } }),
  ],
  [
    'a header',
    'perform", resource) when { context.headers.hasTag("a") && context.headers.getTag("a").text == "b" }',
    buildStepRequest('userTask', { headers: { a: 'a' } }),
    buildStepRequest('userTask', { headers: { a: 'b' } }),
  ],
  [
    'a property',
    'perform", resource) when { context.properties.hasTag("a") && context.properties.getTag("a").text == "b" }',
    buildStepRequest('userTask', { properties: { a: 'a' } }),
    buildStepRequest('userTask', { properties: { a: 'b' } }),
  ],
  [
    'an input',
    'perform", resource) when { context.inputs.hasTag("a") && context.inputs.getTag("a").text == "b" }',
    buildStepRequest('userTask', { inputs: { a: 'a' } }),
    buildStepRequest('userTask', { inputs: { a: 'b' } }),
  ],
  [
    'the agent',
    'call", resource) when { principal == Agent::"b" }',
    buildCallRequest(),
    buildCallRequest({}, { agentName: 'b' }),
  ],
  ['the tool', 'call", resource == Tool::"b")', buildCallRequest({ tool: 'a' }), buildCallRequest({ tool: 'b' })],
  [
    'the tool digest',
    'call", resource) when { resource.digest == "b" }',
    buildCallRequest(),
    buildCallRequest({ toolDigest: 'b' }),
  ],
  [
    'the tool effect',
    'call", resource) when { resource.effect == "write" }',
    buildCallRequest(),
    buildCallRequest({ effect: 'write' }),
  ],
  [
    'tool reversibility',
    'call", resource) when { !resource.reversible }',
    buildCallRequest(),
    buildCallRequest({ reversible: false }),
  ],
  [
    'whether the call was edited',
    'call", resource) when { context.edited }',
    buildCallRequest(),
    buildCallRequest({ edited: true }),
  ],
  [
    'hosts',
    'call", resource) when { context.hosts.contains("b") }',
    buildCallRequest(),
    buildCallRequest({ hosts: ['b'] }),
  ],
  [
    'ports',
    'call", resource) when { context.ports.contains(8443) }',
    buildCallRequest(),
    buildCallRequest({ hosts: ['a.b:8443'] }),
  ],
  [
    'domains',
    'call", resource) when { context.domains.contains("b") }',
    buildCallRequest(),
    buildCallRequest({ hosts: ['a.b'] }),
  ],
  [
    'artifacts',
    'call", resource) when { context.artifacts.contains("b") }',
    buildCallRequest(),
    buildCallRequest({ artifacts: ['b'] }),
  ],
  [
    'an argument',
    'call", resource) when { context.arguments.hasTag("a") && context.arguments.getTag("a").text == "b" }',
    buildCallRequest({ arguments: { a: 'a' } }),
    buildCallRequest({ arguments: { a: 'b' } }),
  ],
  [
    'the step of a call',
    'call", resource) when { context.step.element == "b" }',
    buildCallRequest(),
    buildCallRequest({}, { elementId: 'b' }),
  ],
  [
    'the step name of a call',
    'call", resource) when { context.step has name && context.step.name == "b" }',
    buildCallRequest({}, { elementName: 'a' }),
    buildCallRequest({}, { elementName: 'b' }),
  ],
  [
    'the whole context',
    'call", resource) when { context.step.element == "c" || context == context && context.edited }',
    buildCallRequest(),
    buildCallRequest({ edited: true }),
  ],
];

describe('createRequestKeyBuilder', () => {
  for (const [property, policyRest, request, differingRequest] of DIFFERING_REQUESTS) {
    it(`should not reuse a decision for a request that differs in ${property}`, async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("not") forbid (principal, action == Action::"${policyRest};`,
      );

      expect(
        [policy(request), policy(differingRequest), policy(request)].map(({ decision }) => decision),
      ).to.deep.equal(['allow', 'deny', 'allow']);
    });
  }

  it('should reuse a decision when requests differ only in data that no policy reads', async () => {
    const policy: PolicyFunction = (await makePolicy('test', { 'a.cedar': PERMIT_ALL })).policy;
    const first = policy(buildStepRequest('userTask', { inputs: { a: 1 }, startedBy: 'ann', runId: 'a' }));

    expect(
      policy(buildStepRequest('userTask', { inputs: { a: 2 }, startedBy: 'bob', runId: 'b', workflowVersion: 2 })),
    ).to.equal(first);
    expect(policy(buildCallRequest({ arguments: { a: 1 }, hosts: ['a'] }))).to.equal(
      policy(buildCallRequest({ arguments: { a: 2 }, hosts: ['b'] })),
    );
  });

  it('should apply the risk of the run even when the decision is reused', async () => {
    const policy = await compilePolicy('@id("calls") permit (principal, action == Action::"call", resource);');

    expect(
      [policy(buildCallRequest()), policy(buildCallRequest({}, { runRisk: 'high' })), policy(buildCallRequest())].map(
        ({ riskLevel }) => riskLevel,
      ),
    ).to.deep.equal(['low', 'high', 'low']);
  });
});
