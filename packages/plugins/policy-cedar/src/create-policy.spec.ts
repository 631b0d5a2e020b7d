import { expect } from 'chai';
import type { JsonObject } from '@countersign/core/plugin';
import type { PolicyFunction } from '@countersign/model';
import { buildCallRequest, compilePolicy, buildStepRequest } from './policies.spec.support.js';

const PERMIT_ALL = '@id("all") permit (principal, action, resource);';
const PERMIT_CALLS = '@id("calls") permit (principal, action == Action::"call", resource);';

/** Returns a function that reports whether a policy with this condition forbids a call. */
async function compileForbidCondition(
  condition: string,
): Promise<(args: JsonObject, overrides?: Parameters<typeof buildCallRequest>[1]) => boolean> {
  const policy = await compilePolicy(
    `${PERMIT_ALL} @id("not") forbid (principal, action == Action::"call", resource) when { ${condition} };`,
  );
  return (args, overrides = {}) => policy(buildCallRequest({ arguments: args }, overrides)).decision === 'deny';
}

describe('createPolicy', () => {
  describe('decisions', () => {
    it('should deny a request that no policy permits', async () => {
      const policy = await compilePolicy('@id("other") permit (principal == Agent::"other", action, resource);');

      expect(policy(buildCallRequest())).to.deep.include({
        decision: 'deny',
        riskLevel: 'high',
        decidedBy: [],
        rationale: 'No policy permits a call to the tool "http.request".',
      });
      expect(policy(buildStepRequest('userTask'))).to.deep.include({
        decision: 'deny',
        rationale: 'No policy permits a step of the type "userTask".',
      });
    });

    it('should deny a forbidden call even if a policy permits it, and name the forbidding policy', async () => {
      const policy = await compilePolicy(`${PERMIT_ALL}
        @id("no-deletes") @rationale("Files must not be deleted") @advice("Ask the owner")
        forbid (principal, action, resource == Tool::"files.delete");`);

      expect(policy(buildCallRequest({ tool: 'files.delete' }))).to.deep.include({
        decision: 'deny',
        decidedBy: ['no-deletes'],
        rationale: 'Files must not be deleted. Ask the owner.',
      });
      expect(policy(buildCallRequest({ tool: 'files.read' })).decision).to.equal('allow');
    });

    it('should require approval when a policy permits `call` but not `callUnattended`', async () => {
      const policy = await compilePolicy(PERMIT_CALLS);

      expect(policy(buildCallRequest()).decision).to.equal('require_approval');
    });

    it('should require approval when `callUnattended` is forbidden', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("review") @rationale("A person must review the call") forbid (principal, action == Action::"callUnattended", resource);`,
      );

      expect(policy(buildCallRequest())).to.deep.include({
        decision: 'require_approval',
        decidedBy: ['all', 'review'],
        rationale: 'The policy "all" applies. A person must review the call. Its risk is low.',
      });
    });

    it('should throw when a policy cannot be evaluated, even if another policy permits the step', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("sum") forbid (principal, action == Action::"perform", resource) when { context.workflowVersion * 9223372036854775807 > 5 };`,
      );

      expect(() => policy(buildStepRequest('userTask', { workflowVersion: 2 }))).to.throw(
        /The policy "sum" could not be evaluated: .*overflow/,
      );
      expect(policy(buildStepRequest('userTask', { workflowVersion: 0 })).decision).to.equal('allow');
    });

    it('should assign a tool to the groups of its dotted name prefixes only', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("no-mcp") forbid (principal, action, resource in ToolGroup::"mcp.github");`,
      );
      const decide = (tool: string) => policy(buildCallRequest({ tool })).decision;

      expect([decide('mcp.github.merge'), decide('mcp.github.pull.merge')]).to.deep.equal(['deny', 'deny']);
      expect([decide('mcp.github'), decide('mcp.githubby.merge'), decide('github.merge')]).to.deep.equal([
        'allow',
        'allow',
        'allow',
      ]);
    });

    it('should match the workflow and the element of a step, and the step of a call', async () => {
      const policy = await compilePolicy(`${PERMIT_ALL}
        @id("a") forbid (principal, action == Action::"perform", resource in Workflow::"closed");
        @id("b") forbid (principal, action == Action::"perform", resource == Step::"open/closed");
        @id("c") forbid (principal, action == Action::"call", resource) when { context.step.element == "closed" && context.step in Workflow::"open" };`);

      expect(policy(buildStepRequest('userTask', { workflowId: 'closed' })).decidedBy).to.deep.equal(['a']);
      expect(policy(buildStepRequest('userTask', { workflowId: 'open', elementId: 'closed' })).decidedBy).to.deep.equal(
        ['b'],
      );
      expect(policy(buildCallRequest({}, { workflowId: 'open', elementId: 'closed' })).decidedBy).to.deep.equal(['c']);
      expect(policy(buildCallRequest({}, { workflowId: 'open', elementId: 'open' })).decision).to.equal('allow');
    });
  });

  describe('approvers', () => {
    it('should be the candidates of all matching policies, with the highest quorum', async () => {
      const policy = await compilePolicy(`
        @id("a") @approvers("ops, release") @quorum("2") permit (principal, action == Action::"call", resource);
        @id("b") @approvers("legal") @approverUsers("ann") @quorum("3") forbid (principal, action == Action::"callUnattended", resource)
        when { context.taint.contains("upload") };`);

      expect(policy(buildCallRequest()).approval).to.deep.equal({
        candidateUsers: [],
        candidateGroups: ['ops', 'release'],
        quorum: 2,
      });
      expect(policy(buildCallRequest({}, { taint: ['upload'] })).approval).to.deep.equal({
        candidateUsers: ['ann'],
        candidateGroups: ['ops', 'release', 'legal'],
        quorum: 3,
      });
    });

    it('should have normalised names, however their accents are encoded', async () => {
      const policy = await compilePolicy(`
        @id("a") @approvers("Caf\u0065\u0301") @approverUsers("Jos\u0065\u0301") permit (principal, action == Action::"call", resource);`);
      expect(policy(buildCallRequest()).approval).to.deep.include({
        candidateUsers: ['Jos\u00e9'],
        candidateGroups: ['Caf\u00e9'],
      });
    });
  });

  describe('taint', () => {
    it('should be accepted only when a policy with @acceptsTaint matches', async () => {
      const policy = await compilePolicy(`${PERMIT_ALL}
        @id("comment") @acceptsTaint("true") permit (principal, action == Action::"callUnattended", resource == Tool::"codehost.comment")
        when { ["webhook"].containsAll(context.taint) };`);
      const acceptsTaint = (tool: string, taint: string[]) =>
        policy(buildCallRequest({ tool, effect: 'write' }, { taint })).acceptsTaint;

      expect(acceptsTaint('codehost.comment', ['webhook'])).to.equal(true);
      expect(acceptsTaint('codehost.comment', ['upload', 'webhook'])).to.equal(undefined);
      expect(acceptsTaint('codehost.merge', ['webhook'])).to.equal(undefined);
    });
  });

  describe('risk', () => {
    it('should be the sum of all matching factors, even if the call is forbidden', async () => {
      const policy = await compilePolicy(`
        @id("b") @risk("b") @weight("20.5") @description("B.") permit (principal, action == Action::"weighCall", resource);
        @id("a") @risk("a") @weight("10") @description("A.") permit (principal, action == Action::"weighCall", resource) when { context.edited };
        @id("none") forbid (principal, action, resource);`);

      expect(policy(buildCallRequest({ edited: true })).riskFactors).to.deep.equal([
        { code: 'b', description: 'B.', weight: 20.5 },
        { code: 'a', description: 'A.', weight: 10 },
        { code: 'forbidden', description: 'The policy "none" applies.', weight: 50 },
      ]);
      expect(policy(buildCallRequest({ edited: true })).riskLevel).to.equal('critical');
    });

    it('should not count a general permit as a factor, or a factor as a permit', async () => {
      const riskPolicy =
        '@id("w") @risk("w") @weight("1") @description("W.") permit (principal, action == Action::"weighStep", resource);';

      expect((await compilePolicy(PERMIT_ALL))(buildStepRequest('userTask')).riskFactors).to.deep.equal([]);
      expect((await compilePolicy(riskPolicy))(buildStepRequest('userTask')).decision).to.equal('deny');
    });
  });

  describe('data', () => {
    it('should be read by path and matched against a pattern', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("body/url") && context.arguments.getTag("body/url").text like "https://evil.example/*"',
      );

      expect(isForbidden({ body: { url: 'https://evil.example/x' } })).to.equal(true);
      expect(isForbidden({ body: { url: 'https://good.example/x' } })).to.equal(false);
      expect(isForbidden({ 'body/url': 'https://evil.example/x' })).to.equal(false);
    });

    it('should not permit a call when a member name imitates a path', async () => {
      const policy =
        await compilePolicy(`@id("good") permit (principal, action in [Action::"call", Action::"callUnattended"], resource)
        when { context.arguments.hasTag("body/url") && context.arguments.getTag("body/url").text == "good" };`);
      const decide = (args: JsonObject) => policy(buildCallRequest({ arguments: args })).decision;

      expect(decide({ body: { url: 'good' } })).to.equal('allow');
      expect(decide({ 'body': { url: 'evil' }, 'body/url': 'good' })).to.equal('deny');
      expect(decide(JSON.parse('{"body":{"__proto__":{"url":"good"}}}') as JsonObject)).to.equal('deny');
      expect(decide({ '': { body: { url: 'good' } } })).to.equal('deny');
    });

    it('should be addressed by paths that are escaped as defined in RFC 6901', async () => {
      const isForbidden = await compileForbidCondition(
        'context.headers.hasTag("countersign~1a~0b") && context.headers.getTag("countersign~1a~0b").text == "x"',
      );

      expect(isForbidden({}, { headers: { 'countersign/a~b': 'x', 'tools': 'http.request' } })).to.equal(true);
      expect(isForbidden({}, { headers: { countersign: 'x', tools: 'http.request' } })).to.equal(false);
    });

    it('should not include inherited JavaScript properties', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("toString") || context.arguments.hasTag("a/length")',
      );

      expect([isForbidden({ a: [1] }), isForbidden({ toString: 1 })]).to.deep.equal([false, true]);
    });

    it('should keep names distinct from paths when all data is passed to Cedar', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("own") forbid (principal, action == Action::"perform", resource) when { context.inputs.hasTag(context.startedBy) };`,
      );
      const matchesPath = (path: string, inputs: JsonObject) =>
        policy(buildStepRequest('userTask', { inputs, startedBy: path })).decision === 'deny';

      expect([
        matchesPath('a/b', { 'a/b': 1 }),
        matchesPath('a~1b', { 'a/b': 1 }),
        matchesPath('a/b', { a: { b: 1 } }),
        matchesPath('a~01b', { 'a~1b': 1 }),
        matchesPath('', { '': 1 }),
        matchesPath('a', { '': { a: 1 } }),
      ]).to.deep.equal([false, true, true, true, true, false]);
    });

    it('should distinguish null from the string "null"', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("a") && context.arguments.getTag("a").kind == "null" && context.arguments.getTag("a").text == "null"',
      );

      expect([isForbidden({ a: null }), isForbidden({ a: 'null' }), isForbidden({})]).to.deep.equal([
        true,
        false,
        false,
      ]);
    });

    it('should expose the items of a list both as a set and by index', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("labels") && context.arguments.getTag("labels").texts.contains("production")',
      );
      const isForbiddenByIndex = await compileForbidCondition(
        'context.arguments.hasTag("labels/1") && context.arguments.getTag("labels/1").text == "b"',
      );

      expect([
        isForbidden({ labels: ['a', 'production'] }),
        isForbidden({ labels: 'production' }),
        isForbidden({ labels: ['a'] }),
      ]).to.deep.equal([true, true, false]);
      expect([
        isForbiddenByIndex({ labels: ['a', 'b'] }),
        isForbiddenByIndex({ labels: { 1: 'b' } }),
        isForbiddenByIndex({ labels: ['b'] }),
      ]).to.deep.equal([true, true, false]);
    });

    it('should compare numbers exactly, and deny numbers that Cedar cannot represent', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("n") && context.arguments.getTag("n") has number && context.arguments.getTag("n").number.greaterThan(decimal("100.0"))',
      );

      expect([100, 100.0001, 1e14, -5, -0, '1e9'].map((n) => isForbidden({ n }))).to.deep.equal([
        false,
        true,
        true,
        false,
        false,
        false,
      ]);
      expect([100.00001, 1e21, 1e-7, 922_337_203_685_478].map((n) => isForbidden({ n }))).to.deep.equal([
        true,
        true,
        true,
        true,
      ]);
      expect(isForbidden({ other: 1e21 })).to.equal(false);
    });

    it('should name the number that cannot be compared in the rationale', async () => {
      const policy =
        await compilePolicy(`${PERMIT_ALL} @id("n") forbid (principal, action == Action::"perform", resource)
        when { context.inputs.hasTag("n") && context.inputs.getTag("n") has number && context.inputs.getTag("n").number.greaterThan(decimal("1.0")) };`);

      expect(policy(buildStepRequest('userTask', { inputs: { n: 1e-9 } })).rationale).to.contain(
        '"n" of the inputs is the number 1e-9, which has more than four decimals',
      );
    });

    it('should not be interpreted as entities or functions of Cedar', async () => {
      const isForbidden = await compileForbidCondition(
        'context.arguments.hasTag("a") && context.arguments.getTag("a").text like "*__entity*"',
      );

      expect(isForbidden({ a: { __entity: { type: 'Tool', id: 'x' } } })).to.equal(true);
      expect(isForbidden({ a: { __extn: { fn: 'decimal', arg: 'x' } } })).to.equal(false);
      expect(isForbidden({ __entity: { type: 'Tool', id: 'x' } })).to.equal(false);
    });

    it('should be passed to Cedar as a whole, within limits, when a path is not a literal', async () => {
      const policy =
        await compilePolicy(`${PERMIT_ALL} @id("own") forbid (principal, action == Action::"perform", resource)
        when { context.inputs.hasTag(context.startedBy) && context.inputs.getTag(context.startedBy).text == "no" };`);
      const decide = (inputs: JsonObject) => policy(buildStepRequest('userTask', { inputs }));
      let deep: JsonObject = {};
      for (let level = 0; level < 40; level += 1) deep = { deep };

      expect(decide({ ann: 'no' }).decision).to.equal('deny');
      expect(decide({ ann: 'yes' }).decision).to.equal('allow');
      expect(decide(deep).rationale).to.contain('more than 32 levels deep');
      expect(decide({ list: Array.from({ length: 2001 }, () => 0) }).rationale).to.contain('more than 2000 values');
      expect(decide({ text: 'x'.repeat(256 * 1024 + 1) }).rationale).to.contain('more than 262144 characters');
    });

    it('should have no size limit for values that no policy reads', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("n") forbid (principal, action == Action::"perform", resource) when { context.inputs.hasTag("n") && context.inputs.getTag("n").text == "no" };`,
      );

      expect(
        policy(buildStepRequest('userTask', { inputs: { text: 'x'.repeat(1024 * 1024), n: 'yes' } })).decision,
      ).to.equal('allow');
    });

    it('should match hosts in any case, and the domains that contain them', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("not") forbid (principal, action == Action::"call", resource) when { context.domains.contains("evil.example") || context.hosts.contains("10.0.0.1") };`,
      );
      const decide = (...hosts: string[]) => policy(buildCallRequest({ hosts })).decision;

      expect(
        ['evil.example', 'API.Evil.Example.', 'a.b.evil.example', '10.0.0.1'].map((host) => decide(host)),
      ).to.deep.equal(['deny', 'deny', 'deny', 'deny']);
      expect([decide('good.example', 'x.evil.example'), decide('notevil.example'), decide('110.0.0.1')]).to.deep.equal([
        'deny',
        'allow',
        'allow',
      ]);
    });
  });

  describe('tools of a step', () => {
    const getToolConstraints = (policy: PolicyFunction) =>
      policy(
        buildStepRequest('serviceTask', {
          jobType: 'agent',
          agentName: 'triage',
          headers: { agent: 'triage', tools: 'a.read, a.write, b.write' },
        }),
      ).toolConstraints;

    it('should be listed as allowed, denied or requiring approval if the tool name determines the decision', async () => {
      const policy = await compilePolicy(`
        @id("steps") permit (principal, action == Action::"perform", resource);
        @id("a") permit (principal, action == Action::"call", resource in ToolGroup::"a") when { resource.effect == "write" };
        @id("b") permit (principal, action == Action::"call", resource in ToolGroup::"b");
        @id("not-b") forbid (principal == Agent::"triage", action == Action::"call", resource == Tool::"b.write");
        @id("read") permit (principal, action == Action::"callUnattended", resource == Tool::"a.read");`);

      expect(getToolConstraints(policy)).to.deep.equal({
        allowed: ['a.read', 'a.write'],
        denied: ['b.write'],
        requireApproval: ['a.write'],
        limits: {},
      });
    });

    it('should be allowed in the step if the decision depends on the call', async () => {
      const policy = await compilePolicy(
        `${PERMIT_ALL} @id("not") forbid (principal, action, resource == Tool::"a.write") when { context.taint.contains("webhook") };`,
      );

      expect(getToolConstraints(policy)).to.deep.equal({
        allowed: ['a.read', 'a.write', 'b.write'],
        denied: [],
        requireApproval: [],
        limits: {},
      });
    });
  });

  describe('policy digest', () => {
    it('should change when a policy text changes or a file is added, and otherwise stay the same', async () => {
      const computeDigest = async (text: string, otherFiles = {}) =>
        (await compilePolicy(text, otherFiles))(buildStepRequest('userTask')).policyDigest;

      expect(await computeDigest(PERMIT_ALL))
        .to.match(/^sha256:[0-9a-f]{64}$/)
        .and.to.equal(await computeDigest(PERMIT_ALL));
      expect(await computeDigest(`${PERMIT_ALL} `)).to.not.equal(await computeDigest(PERMIT_ALL));
      expect(await computeDigest(PERMIT_ALL, { 'more.cedar': '// nothing' })).to.not.equal(
        await computeDigest(PERMIT_ALL),
      );
    });
  });

  it('should make the same decisions after its instance of Cedar failed', async () => {
    const policy = await compilePolicy(
      `${PERMIT_ALL} @id("n") forbid (principal, action == Action::"perform", resource) when { context.startedBy like "*a*a*a*" };`,
    );
    const decisionBefore = policy(buildStepRequest('userTask')).decision;
    const hostile = {
      startedBy: {
        toString: () => {
          throw new Error('hostile');
        },
      } as unknown as string,
    };

    expect(() => policy(buildStepRequest('userTask', hostile))).to.throw();

    expect(policy(buildStepRequest('userTask', { startedBy: 'anna' })).decision).to.equal(decisionBefore);
    expect(policy(buildStepRequest('userTask', { startedBy: 'ananas' })).decision).to.equal('deny');
  });
});
