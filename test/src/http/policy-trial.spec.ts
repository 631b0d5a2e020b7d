import type { Client, PolicyTrial } from '@countersign/contract';
import { createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runCommand } from '../cli/cli.spec.support.js';
import { agentModel, ScriptedAgents } from './scripted-agents.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

/** BPMN model with an approval whose input comes from a mapping and whose risk level comes from an expression. */
const PAYMENT_MODEL = processModel(
  'payment',
  `<bpmn:startEvent id="start"><bpmn:outgoing>a</bpmn:outgoing></bpmn:startEvent>
  <bpmn:userTask id="pay" name="Pay"><bpmn:extensionElements>
    <zeebe:ioMapping><zeebe:input source="=amount * 2" target="sum" /></zeebe:ioMapping>
    <zeebe:properties><zeebe:property name="risk.level" value="=if amount &gt; 10 then &quot;high&quot; else &quot;low&quot;" /></zeebe:properties>
  </bpmn:extensionElements><bpmn:incoming>a</bpmn:incoming><bpmn:outgoing>b</bpmn:outgoing></bpmn:userTask>
  <bpmn:endEvent id="end"><bpmn:incoming>b</bpmn:incoming></bpmn:endEvent>
  <bpmn:sequenceFlow id="a" sourceRef="start" targetRef="pay" /><bpmn:sequenceFlow id="b" sourceRef="pay" targetRef="end" />`,
);

const UNATTENDED_POLICY =
  '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");';

describe('API: policy trials on past runs', () => {
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1
        ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
        : { output: { done: true } },
  });
  let countersign: TestHost;
  let admin: Client;
  let operator: Client;
  let currentFiles: Record<string, string>;
  let agentRunId: string;
  let paymentRunId: string;

  before(async () => {
    countersign = await createTestHost({ plugins: [agents.plugin()] });
    [admin, operator] = await Promise.all([countersign.client('admin'), countersign.client('operator')]);
    await countersign.deploy(agentModel('write', 'writer'));
    await countersign.deploy(PAYMENT_MODEL);
    ({ runId: agentRunId } = await operator.startRun({ body: { workflowId: 'write' } }));
    ({ runId: paymentRunId } = await operator.startRun({ body: { workflowId: 'payment', inputs: { amount: 50 } } }));
    await Promise.all([waitForApproval(operator, agentRunId), waitForApproval(operator, paymentRunId)]);
    ({ files: currentFiles } = await operator.getPolicy());
  });

  after(() => countersign.close());

  const tryPolicies = (files: Record<string, string>, runs: object = {}): Promise<PolicyTrial> =>
    admin.tryPolicy({ body: { policies: { ...currentFiles, ...files }, runs } });
  const summarizeTrial = ({ changed }: PolicyTrial) =>
    changed.map(({ runId, elementId, tool, before, after, weaker }) => [
      runId,
      elementId,
      tool,
      before.decision,
      after.decision,
      weaker,
    ]);

  it('should return the current policy, also by the digest that policy decisions contain', async () => {
    const currentPolicy = await operator.getPolicy();
    const { steps } = await operator.getRun({ runId: paymentRunId });

    expect(currentPolicy).to.deep.include({ policyId: 'countersign', inForce: true });
    expect(Object.keys(currentPolicy.files)).to.include.members([
      'steps.cedar',
      'tools.cedar',
      'risk.cedar',
      'countersign.cedarschema',
    ]);
    expect(steps.find(({ elementId }) => elementId === 'pay')?.policyDecision?.policyDigest).to.equal(
      currentPolicy.digest,
    );
    expect(await operator.getPolicyVersion({ digest: currentPolicy.digest })).to.deep.equal(currentPolicy);
    expect(await expectProblem(operator.getPolicyVersion({ digest: `sha256:${'0'.repeat(64)}` }))).to.include({
      status: 404,
      code: 'policy_not_found',
    });
  });

  it('should return no changes for the current policy', async () => {
    const { digest } = await operator.getPolicy();

    expect(await tryPolicies({})).to.deep.equal({
      digest,
      runs: 2,
      decided: 3,
      changed: [],
      problems: [],
      truncated: false,
    });
  });

  it('should report a call that a draft allows without approval', async () => {
    expect(summarizeTrial(await tryPolicies({ 'more.cedar': UNATTENDED_POLICY }))).to.deep.equal([
      [agentRunId, 'work', 'note', 'require_approval', 'allow', true],
    ]);
  });

  it('should report steps and calls that a draft denies, evaluated with the recorded data', async () => {
    const drafts = `@id("hello") forbid (principal, action == Action::"call", resource) when { context.arguments.hasTag("text") && context.arguments.getTag("text").text == "hello" && context.taint.contains("webhook") && context.hosts.contains("notes.example.org") };
      @id("hundred") forbid (principal, action == Action::"perform", resource == Step::"payment/pay") when { context.inputs.hasTag("sum") && context.inputs.getTag("sum").text == "100" && context.properties.hasTag("risk.level") && context.properties.getTag("risk.level").text == "high" && context.startedBy == "operator" };`;

    const changes = summarizeTrial(await tryPolicies({ 'more.cedar': drafts }));

    expect(changes).to.have.deep.members([
      [agentRunId, 'work', 'note', 'require_approval', 'deny', false],
      [paymentRunId, 'pay', null, 'allow', 'deny', false],
    ]);
    expect(summarizeTrial(await tryPolicies({ 'more.cedar': drafts }, { workflowId: 'payment' }))).to.have.length(1);
  });

  it('should report a step for which a draft cannot be evaluated', async () => {
    const { problems, changed } = await tryPolicies({
      'more.cedar':
        '@id("sum") forbid (principal, action == Action::"perform", resource in Workflow::"payment") when { context.workflowVersion + 9223372036854775807 > 0 };',
    });

    expect(changed).to.deep.equal([]);
    expect(problems).to.have.length(1);
    expect(problems[0])
      .to.include({ runId: paymentRunId, elementId: 'pay' })
      .and.to.have.property('problem')
      .that.contains('"sum" could not be evaluated');
  });

  it('should neither store the draft nor change the current policy', async () => {
    const before = await operator.getPolicy();

    const { digest } = await tryPolicies({ 'more.cedar': UNATTENDED_POLICY });

    expect(digest).to.not.equal(before.digest);
    expect(await expectProblem(operator.getPolicyVersion({ digest }))).to.include({ code: 'policy_not_found' });
    expect(await operator.getPolicy()).to.deep.equal(before);
    expect(agents.executedCalls).to.deep.equal([]);
  });

  it('should refuse invalid drafts, invalid filters and callers who are not admins', async () => {
    expect(await expectProblem(tryPolicies({ 'more.cedar': 'permit' })))
      .to.include({ status: 422, code: 'policy_invalid' })
      .and.to.have.property('detail')
      .that.contains('more.cedar:1:1: ');
    expect(await expectProblem(tryPolicies({ '../more.cedar': UNATTENDED_POLICY }))).to.include({
      code: 'policy_invalid',
    });
    expect(await expectProblem(operator.tryPolicy({ body: { policies: currentFiles } }))).to.include({ status: 403 });
    expect(await expectProblem(tryPolicies({}, { unknown: 'filter' }))).to.include({ status: 422 });
  });

  describe('countersign policy', () => {
    let cwd: string;
    beforeEach(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'countersign-policy-'));
      for (const [name, content] of Object.entries(currentFiles)) await writeFile(join(cwd, name), content);
    });
    afterEach(() => rm(cwd, { recursive: true, force: true }));

    it('should print the changed decisions and exit with code 1 when a decision is weaker', async () => {
      const args = ['policy', 'try', '--policies', '.', '--runs', 'workflowId=write', '--url', countersign.url];
      const env = { COUNTERSIGN_TOKEN: await countersign.token('admin') };

      const unchangedResult = await runCommand(args, { cwd, env });
      await writeFile(join(cwd, 'more.cedar'), UNATTENDED_POLICY);
      const weaker = await runCommand(args, { cwd, env });

      expect(unchangedResult).to.deep.include({ code: 0, stderr: '' });
      expect(unchangedResult.stdout).to.match(
        /^2 policy decisions in 1 runs under sha256:[0-9a-f]{64}: 0 would change, 0 of them to a weaker one; 0 could not be evaluated\.\n$/,
      );
      expect(weaker).to.deep.include({ code: 1, stderr: '' });
      expect(weaker.stdout).to.match(
        new RegExp(
          `^weaker   ${agentRunId}  work note: require_approval \\([a-z]+\\) -> allow despite taint \\([a-z]+\\): The tool makes changes\\. `,
        ),
      );
    });

    it('should check a directory of policies without a server', async () => {
      expect(await runCommand(['policy', 'check', '.'], { cwd })).to.deep.include({ code: 0, stderr: '' });
      await writeFile(join(cwd, 'more.cedar'), 'permit');

      const { code, stderr } = await runCommand(['policy', 'check', '.'], { cwd });

      expect(code).to.equal(1);
      expect(stderr).to.contain(
        'error policy_invalid: The policies cannot be used:\n  more.cedar:1:1: the policy that starts here',
      );
    });
  });
});
