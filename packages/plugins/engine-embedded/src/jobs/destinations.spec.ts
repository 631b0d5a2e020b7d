import {
  type AgentRuntimePort,
  type JobHandlerContribution,
  type JsonObject,
  TerminalFailure,
} from '@countersign/core/plugin';
import type { ElementInstance, JobTask } from '@countersign/model';
import { expect } from 'chai';
import { Destinations } from './destinations.js';
import type { RunningJob } from './job-executor.js';

const task = (
  jobType: string,
  variables: JsonObject = { url: 'https://a.example', body: 'large', item: 1 },
  more: Partial<ElementInstance> = {},
) => ({
  jobType,
  node: { headers: { agent: 'triage' }, inputs: [{ target: ['url'] }, { target: ['body'] }] } as unknown as JobTask,
  instance: { variables, ...more } as unknown as ElementInstance,
});

const A_EXAMPLE = { hosts: ['a.example'], ports: [443] };

describe('Destinations', () => {
  const asked: unknown[] = [];
  const handler = (jobType: string): JobHandlerContribution => ({
    jobType,
    hostInputs: ['url', 'item', 'toString'],
    execute: () => expect.fail('nothing is done'),
    hosts: (request) => {
      asked.push(request);
      (request.inputs as Record<string, unknown>)['url'] = 'changed';
      return ['https://a.example'];
    },
  });
  const agents = {
    hosts: (...of: unknown[]) => {
      asked.push(of);
      return ['model.example'];
    },
  } as unknown as AgentRuntimePort;

  beforeEach(() => asked.splice(0));

  it('should pass the headers and a copy of the declared inputs to the job handler', () => {
    const httpTask = task('http');
    expect(new Destinations([handler('http')], agents).find(httpTask)).to.deep.equal(A_EXAMPLE);
    expect(asked).to.deep.equal([{ headers: { agent: 'triage' }, inputs: { url: 'changed' } }]);
    expect(httpTask.instance.variables).to.deep.equal({ url: 'https://a.example', body: 'large', item: 1 });
  });

  it('should pass the agent state of the step to the agent runtime', () => {
    const { find: destinationOf } = new Destinations([handler('http')], agents);
    expect(destinationOf(task('agent'))).to.deep.equal({ hosts: ['model.example'], ports: [80, 443] });
    const state = { provider: 'openai' } as unknown as NonNullable<ElementInstance['agent']>;
    destinationOf(task('agent', {}, { agent: state }));
    expect(asked).to.deep.equal([
      [{ headers: { agent: 'triage' }, state: null }],
      [{ headers: { agent: 'triage' }, state }],
    ]);
  });

  it('should prefer a job handler for agents to the agent runtime', () => {
    expect(new Destinations([handler('agent')], agents).find(task('agent'))).to.deep.equal(A_EXAMPLE);
  });

  it('should be undefined for job types without a handler or without a hosts() function', () => {
    const { hosts: _hosts, ...silent } = handler('http');
    expect(new Destinations([silent], undefined).find(task('http'))).to.equal(undefined);
    expect(new Destinations([silent], undefined).find(task('agent'))).to.equal(undefined);
    expect(new Destinations([silent], agents).find(task('other'))).to.equal(undefined);
  });

  it('should refuse values that are not origins', () => {
    for (const host of ['https://a.example/', 'a.example/path', ' a.example', 'a b', '']) {
      const wrong = { ...handler('http'), hosts: () => [host] };
      expect(() => new Destinations([wrong], undefined).find(task('http')), host).to.throw('is neither an origin');
    }
  });

  it('should contain each host once, in sorted order', () => {
    const several = {
      ...handler('http'),
      hosts: () => ['http://b.example:8443', 'https://a.example', 'b.example:8443'],
    };
    expect(new Destinations([several], undefined).find(task('http'))).to.deep.equal({
      hosts: ['a.example', 'b.example:8443'],
      ports: [443, 8443],
    });
    const providers = { hosts: () => ['https://model.example/v1'] } as unknown as AgentRuntimePort;
    expect(() => new Destinations([], providers).find(task('agent'))).to.throw('is neither an origin');
  });

  describe('when the job is executed', () => {
    const captureFailure = (decidedHosts?: readonly string[], decidedPorts?: readonly number[]): unknown => {
      const decided = {
        ...(decidedHosts === undefined ? {} : { decidedHosts }),
        ...(decidedPorts === undefined ? {} : { decidedPorts }),
      };
      const { node, instance } = task('http', undefined, decided);
      const runningJob = { job: { jobType: 'http' }, node, instance } as unknown as RunningJob;
      try {
        new Destinations([handler('http')], agents).assertUnchanged(runningJob);
        return undefined;
      } catch (error) {
        return error;
      }
    };

    it('should be accepted if the policy decision covered them', () => {
      expect(captureFailure(['a.example'])).to.equal(undefined);
      expect(captureFailure(['a.example', 'b.example'])).to.equal(undefined);
      expect(captureFailure()).to.equal(undefined);
      expect(captureFailure(['a.example'], [443])).to.equal(undefined);
      expect(captureFailure(['a.example', 'b.example'], [80, 443])).to.equal(undefined);
    });

    it('should be refused if the policy decision covered other hosts', () => {
      for (const decided of [[], ['b.example'], ['a.example:8443']])
        expect(captureFailure(decided))
          .to.be.instanceOf(TerminalFailure)
          .that.includes({ code: 'destination_changed' });
    });

    it('should be refused if the policy decision covered other ports of the host', () => {
      for (const decided of [[], [80], [8443]])
        expect(captureFailure(['a.example'], decided))
          .to.be.instanceOf(TerminalFailure)
          .that.includes({ code: 'destination_changed' })
          .with.property('message')
          .that.contains('now calls https://a.example');
    });
  });
});
