import type { AdvanceContext, Destination, JsonObject, PolicyRequest, ProposedCall } from '@countersign/model';
import { expect } from 'chai';
import { agentTask, AgentRun, call } from './agents/agents.spec.support.js';
import { replayRun } from './replay/replay-run.spec.support.js';
import { allow, end, flows, job, start, TestRun, user } from './interpreter.spec.support.js';

const URL_MAPPING = '<zeebe:ioMapping><zeebe:input source="=at" target="url" /></zeebe:ioMapping>';

const DESTINATION: Destination = { hosts: ['a.example'], ports: [443] };

function destinationFromRequest({ hosts, ports }: PolicyRequest): Destination {
  return { hosts, ports };
}

describe('hosts and ports in policy requests', () => {
  async function startRun(
    resolver: NonNullable<AdvanceContext['resolveDestination']>,
    inputs: JsonObject = { at: 'https://a.example' },
  ): Promise<{ run: TestRun; destinations: Destination[] }> {
    const destinations: Destination[] = [];
    const run = await TestRun.of(start + job('call', URL_MAPPING) + end + flows('start > call', 'call > end'));
    run.policy = (request) => {
      destinations.push(destinationFromRequest(request));
      return allow(request);
    };
    run.context = () => ({ ...TestRun.prototype.context.call(run), resolveDestination: resolver });
    run.start(inputs);
    return { run, destinations };
  }

  it('should come from the job type and the mapped inputs of a task, and be recorded', async () => {
    const tasks: unknown[] = [];
    const { run, destinations } = await startRun(({ jobType, instance }) => {
      tasks.push([jobType, instance.variables]);
      return DESTINATION;
    });
    expect(destinations).to.deep.equal([DESTINATION]);
    expect(tasks).to.deep.equal([['call', { url: 'https://a.example' }]]);
    const startedEvent = run.events.find(({ type, elementId }) => type === 'step.started' && elementId === 'call');
    expect(startedEvent?.private).to.deep.include({
      asked: { inputs: { url: 'https://a.example' }, hosts: ['a.example'], ports: [443] },
    });
  });

  it('should raise an incident if the hosts cannot be determined, until the run is recovered', async () => {
    let problem: string | undefined = '"a b" is not a host.';
    const { run, destinations } = await startRun(() => {
      if (problem !== undefined) throw new Error(problem);
      return { hosts: [], ports: [] };
    });
    expect(run.at('call').incident).to.deep.include({ code: 'policy_unavailable' });
    expect(run.at('call').incident?.message).to.contain(problem);
    expect(destinations).to.deep.equal([]);
    // when
    problem = undefined;
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    // then
    expect(run.at('call').incident).to.equal(undefined);
    expect(destinations).to.deep.equal([{ hosts: [], ports: [] }]);
  });

  it('should come from the tool call if there is one, and otherwise from the language model provider', async () => {
    // given
    const destinations: Destination[] = [];
    const providers: unknown[] = [];
    const run = await AgentRun.of(start + agentTask('a') + end + flows('start > a', 'a > end'));
    run.policy = (request) => {
      destinations.push(destinationFromRequest(request));
      return allow(request);
    };
    run.context = () => ({
      ...TestRun.prototype.context.call(run),
      resolveDestination: ({ instance }) => {
        providers.push(instance.agent?.provider);
        return { hosts: ['model.example'], ports: [443] };
      },
    });
    run.start({});
    // when
    run.turn([call('http.get', {}, { hosts: ['a.example'], ports: [8080] })]);
    run.result('http.get');
    run.fail('a', false);
    run.recover();
    // then
    const providerDestination = { hosts: ['model.example'], ports: [443] };
    expect(destinations).to.deep.equal([
      providerDestination,
      { hosts: ['a.example'], ports: [8080] },
      providerDestination,
    ]);
    const requestedEvent = run.events.find(({ type }) => type === 'agent.call.requested');
    expect(requestedEvent?.private).to.deep.include({ hosts: ['a.example'], ports: [8080] });
    expect(providers).to.deep.equal([undefined, 'scripted']);
  });

  describe('for a call that the agent runtime of another plugin proposes', () => {
    const runWithProposedCalls = async (
      ...calls: ProposedCall[]
    ): Promise<{ run: AgentRun; destinations: Destination[] }> => {
      const destinations: Destination[] = [];
      const run = await AgentRun.createWithTask(agentTask('a'), {}, (agentRun) => {
        agentRun.policy = (request) => {
          if (request.call !== null) destinations.push(destinationFromRequest(request));
          return allow(request);
        };
      });
      run.turn(calls);
      return { run, destinations };
    };
    const repropose = (run: AgentRun, next: ProposedCall): void => {
      const { jobId } = run.callJob(next.tool);
      run.do({ type: 'agent.repropose', actor: user('worker'), jobId, call: next });
    };

    it('should be read from origins, so that rules about hosts and ports match', async () => {
      const hosts = ['https://b.example', 'http://a.example:8443', 'b.example'];
      const { run, destinations } = await runWithProposedCalls(call('http.get', {}, { hosts, ports: [443] }));
      expect(destinations).to.deep.equal([{ hosts: ['a.example:8443', 'b.example'], ports: [443, 8443] }]);
      const requestedEvent = run.events.find(({ type }) => type === 'agent.call.requested');
      expect(requestedEvent?.private).to.deep.include({ hosts: ['a.example:8443', 'b.example'], ports: [443, 8443] });
    });

    it('should refuse the call if its hosts or ports cannot be read', async () => {
      const unreadableDestinations = [
        { hosts: ['https://a.example/path'] },
        { hosts: ['a.example', 'a b'] },
        { hosts: 'localhost' as unknown as readonly string[] },
        { hosts: ['a.example'], ports: [443, 8.5] },
        { hosts: ['a.example'], ports: ['443'] as unknown as readonly number[] },
      ];
      for (const destination of unreadableDestinations) {
        const { run, destinations } = await runWithProposedCalls(call('http.get', {}, destination));
        const refusalCodes = run.of('agent.call.refused').map(({ data }) => data['code']);
        expect(refusalCodes, JSON.stringify(destination)).to.deep.equal(['tool_destination_unreadable']);
        expect(destinations).to.deep.equal([]);
        expect(run.events.some(({ type }) => type === 'agent.call.dispatched')).to.equal(false);
      }
    });

    it('should refuse the call if the destination becomes unreadable before it is executed', async () => {
      const { run, destinations } = await runWithProposedCalls(call('http.get', {}, { hosts: ['a.example'] }));
      repropose(run, call('http.get', {}, { hosts: ['https://a.example/path'] }));
      expect(run.of('agent.call.refused').map(({ data }) => data['code'])).to.deep.equal([
        'tool_destination_unreadable',
      ]);
      expect(destinations).to.have.length(1);
    });

    it('should evaluate the ports of the new hosts if they change before the call is executed', async () => {
      const { run, destinations } = await runWithProposedCalls(
        call('http.get', {}, { hosts: ['a.example'], ports: [443] }),
      );
      repropose(run, call('http.get', {}, { hosts: ['b.example'] }));
      expect(destinations).to.deep.equal([
        { hosts: ['a.example'], ports: [443] },
        { hosts: ['b.example'], ports: [80, 443] },
      ]);
    });
  });

  describe('before events that a worker executes', () => {
    const EVENT =
      '<bpmn:intermediateThrowEvent id="tell"><bpmn:extensionElements><zeebe:taskDefinition type="http"/></bpmn:extensionElements><bpmn:messageEventDefinition/></bpmn:intermediateThrowEvent>';
    const MODEL = start + EVENT + end + flows('start > tell', 'tell > end');

    it('should be part of the policy request, so that a policy can deny the event', async () => {
      const run = await TestRun.of(MODEL);
      run.policy = (request) => ({ ...allow(request), decision: request.hosts.length > 0 ? 'deny' : 'allow' });
      run.context = () => ({ ...TestRun.prototype.context.call(run), resolveDestination: () => DESTINATION });
      run.start({});
      expect(run.at('tell').incident?.code).to.equal('policy_denied');
    });

    it('should not be needed to replay an event, even from a history without recorded policy decisions', async () => {
      // given
      const run = await TestRun.of(MODEL);
      run.start({});
      run.complete('tell');
      const replayedState = replayRun(run);
      // when
      for (const event of run.events)
        if (event.elementId === 'tell') delete (event.data as Record<string, unknown>)['policyDecision'];
      // then
      expect(replayedState?.outcome).to.equal('completed');
      expect(replayRun(run)?.outcome).to.equal('completed');
    });
  });

  it('should produce the same incident in a replay if the hosts cannot be determined', async () => {
    const { run } = await startRun(() => {
      throw new Error('"a b" is not a host.');
    });
    const state = replayRun(run);
    const [failedInstance] = Object.values(state?.instances ?? {}).filter(({ incident }) => incident !== undefined);
    expect(failedInstance?.incident).to.deep.equal(run.at('call').incident);
  });
});
