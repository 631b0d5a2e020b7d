import { expect } from 'chai';
import { z } from 'zod';
import { BpmnError, RetryableFailure, TerminalFailure, type Job } from '../contributions/job-handler.js';
import type { ConnectorCall, ConnectorContribution } from '../contributions/connector.js';
import { secretName } from '../contributions/secret-name.js';
import { OutboundHttpError } from '../errors/outbound-http-error.js';
import { ConnectorJobHandler } from './connector-job-handler.js';

const Input = z.strictObject({
  text: z.string().min(1),
  times: z.int().default(1),
  authentication: z.strictObject({ secret: secretName() }).optional(),
});
const Output = z.object({ said: z.string() });

describe('ConnectorJobHandler', () => {
  const calls: { readonly input: z.output<typeof Input>; readonly call: ConnectorCall }[] = [];
  beforeEach(() => calls.splice(0));

  const connector = (answer: () => unknown): ConnectorContribution<typeof Input, typeof Output> => ({
    id: 'test.echo',
    title: 'Echo',
    description: 'Says it again.',
    jobType: 'echo',
    version: 1,
    effect: 'read',
    input: Input,
    output: Output,
    call: async (input, call) => {
      calls.push({ input, call });
      return answer() as { said: string };
    },
  });
  const job = (more: Partial<Job>): Job => ({
    jobId: 'job-1',
    runId: 'run-1',
    workflowId: 'flow',
    stepId: 'step-1',
    elementId: 'echo_1',
    jobType: 'echo',
    attempt: 2,
    headers: { resultVariable: 'answer' },
    variables: { text: 'seen', times: 7 },
    inputs: { text: 'hello' },
    toolConstraints: null,
    signal: new AbortController().signal,
    putArtifact: () => expect.fail('nothing is put'),
    ...more,
  });
  const execute = (more: Partial<Job> = {}, answer: () => unknown = () => ({ said: 'hello', besides: 'dropped' })) =>
    new ConnectorJobHandler(connector(answer)).execute(job(more));
  const failure = (more: Partial<Job>, answer?: () => unknown): Promise<unknown> =>
    execute(more, answer).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('should pass only the mapped inputs to the connector and store the output in the result variable', async () => {
    expect(await execute()).to.deep.equal({ answer: { said: 'hello' } });
    expect(calls).to.have.length(1);
    expect(calls[0]?.input).to.deep.equal({ text: 'hello', times: 1 });
    expect(calls[0]?.call).to.include({ idempotencyKey: 'job-1', runId: 'run-1', elementId: 'echo_1', attempt: 2 });
  });

  it('should treat an input mapped to null as missing', async () => {
    await execute({ inputs: { text: 'hello', times: null } });

    expect(calls[0]?.input).to.deep.equal({ text: 'hello', times: 1 });
    expect(await failure({ inputs: { text: null } }))
      .to.have.property('message')
      .that.contains('at "/text": ');
  });

  it('should drop the output when no result variable is set', async () => {
    expect(await execute({ headers: {} })).to.deep.equal({});
    expect(await execute({ headers: { resultVariable: '' } })).to.deep.equal({});
  });

  it('should refuse invalid inputs and report their locations, but not their values', async () => {
    const error = await failure({
      inputs: { text: '', times: 'pa55word', tex: 'pa55word', authentication: { secret: 'Bearer pa55word' } },
    });

    expect(error).to.be.instanceOf(TerminalFailure).with.property('code', 'connector_input_invalid');
    expect(error)
      .to.have.property('message')
      .that.contains('at "/text": ')
      .and.contains('at "/times": ')
      .and.contains('at "/authentication/secret": ')
      .and.contains('"tex"')
      .and.not.contains('pa55word');
    expect(calls).to.deep.equal([]);
  });

  it('should refuse unsupported Camunda headers and invalid variable names', async () => {
    for (const name of ['resultExpression', 'errorExpression', 'retryBackoff']) {
      expect(await failure({ headers: { [name]: '=x' } }), name)
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', 'connector_header_unsupported');
    }
    expect(await failure({ headers: { resultVariable: 'a.b' } }))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'connector_header_invalid');
    expect(calls).to.deep.equal([]);
  });

  it('should not call the connector when the policy denies its job type or requires approval for it', async () => {
    const constraints = { allowed: [], denied: [], requireApproval: [], limits: {} };

    expect(await failure({ toolConstraints: { ...constraints, denied: ['echo'] } })).to.include({
      code: 'policy_denied',
    });
    expect(await failure({ toolConstraints: { ...constraints, requireApproval: ['echo'] } })).to.include({
      code: 'policy_denied',
    });
    expect(calls).to.deep.equal([]);
    await execute({ toolConstraints: { ...constraints, denied: ['other'] } });
    expect(calls).to.have.length(1);
  });

  it('should classify HTTP failures as retryable or permanent and rethrow other errors unchanged', async () => {
    const thrown = (error: unknown) =>
      failure({}, () => {
        throw error;
      });

    expect(await thrown(new OutboundHttpError('outbound_x', 'm', true)))
      .to.be.instanceOf(RetryableFailure)
      .with.property('code', 'outbound_x');
    expect(await thrown(new OutboundHttpError('outbound_x', 'm', false)))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'outbound_x');
    for (const error of [
      new TerminalFailure('t', 'm'),
      new RetryableFailure('r', 'm', 5),
      new BpmnError('b'),
      new Error('any'),
    ])
      expect(await thrown(error)).to.equal(error);
  });

  it('should refuse an output that violates the output schema of the connector', async () => {
    expect(await failure({}, () => ({ said: 1 })))
      .to.be.instanceOf(TerminalFailure)
      .with.property('code', 'connector_output_invalid');
  });

  describe('hosts of a job', () => {
    const hostsOf = (hosts: (input: z.output<typeof Input>) => readonly string[], inputs: Job['inputs']) =>
      new ConnectorJobHandler({ ...connector(() => null), hosts, hostInputs: ['text', 'times'] }).hosts({ inputs });

    it('should be the hosts that the connector derives from its inputs', () => {
      const told: unknown[] = [];
      const hosts = hostsOf(
        (input) => {
          told.push(input);
          return ['a.example', 'b.example:8443'];
        },
        { text: 'hello', times: null, authentication: { secret: '' } },
      );
      expect(hosts).to.deep.equal(['a.example', 'b.example:8443']);
      expect(told).to.deep.equal([{ text: 'hello', times: 1 }]);
      expect(calls).to.deep.equal([]);
    });

    it('should be empty when the inputs are invalid or the connector reports no hosts', () => {
      expect(hostsOf(() => ['a.example'], { text: '' })).to.deep.equal([]);
      expect(new ConnectorJobHandler(connector(() => null)).hosts({ inputs: { text: 'hello' } })).to.deep.equal([]);
    });

    it('should not be derived from an input that the connector does not declare', () => {
      const wrong = { ...connector(() => null), hosts: () => [], hostInputs: ['url' as 'text'] };
      expect(() => new ConnectorJobHandler(wrong).hosts({ inputs: { text: 'hello' } })).to.throw('no input "url"');
    });
  });
});
